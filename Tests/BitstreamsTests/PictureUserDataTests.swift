import Bitstreams
import Testing
import TestSupport

@Suite struct PictureUserDataTests {
    /// 00 00 00 within the payload: emulation prevention has to come out.
    private static let payload: [UInt8] = [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0xC1, 0x00, 0x00, 0x00, 0xFC, 0x94, 0x2C, 0xFF]
    private static let other = SEIMessage(payloadType: 1, payload: [1, 2, 3])
    private static let message = SEIMessage(payloadType: SEIMessage.PayloadType.registeredUserData, payload: payload)

    private static func sample(_ codec: RandomAccess.Codec, _ framing: NALUnitFraming) -> [UInt8] {
        let header: [UInt8] = codec == .avc ? [0x06] : [0x4E, 0x01]
        let slice: [UInt8] = codec == .avc ? [0x65, 0x88, 0x84] : [0x26, 0x01, 0xAF]
        let units = [SEIMessage.unit(header: header, messages: [other, message]), slice, SEIMessage.unit(header: header, messages: [message])]
        switch framing {
        case .annexB: return units.flatMap { [0, 0, 0, 1] + $0 }
        case .lengthPrefixed(let size): return NALUnitSequence.lengthPrefixed(units.map { $0[...] }, lengthSize: size) ?? []
        }
    }

    @Test(arguments: [RandomAccess.Codec.avc, .hevc], [NALUnitFraming.annexB, .lengthPrefixed(lengthSize: 4), .lengthPrefixed(lengthSize: 2)])
    func messagesOfBothFieldsAreFound(codec: RandomAccess.Codec, framing: NALUnitFraming) {
        let sample = Self.sample(codec, framing)
        let found = PictureUserData.registered(in: sample[...], codec: codec, framing: framing)
        #expect(found == Array(repeating: RegisteredUserData(countryCode: 0xB5, payload: Array(Self.payload.dropFirst())), count: 2))
        for bytes in Damage.all(of: sample, mutations: 100) { _ = PictureUserData.registered(in: bytes[...], codec: codec, framing: framing) }
    }

    @Test func aUnitWithoutItsTrailingBitsIsRead() {
        let unit = SEIMessage.unit(header: [0x06], messages: [Self.message]).dropLast()
        let sample = NALUnitSequence.lengthPrefixed([unit[...]])
        #expect(PictureUserData.registered(in: sample[...], codec: .avc, framing: .lengthPrefixed(lengthSize: 4)).count == 1)
    }

    @Test func messagesOfAV1() {
        // A metadata unit with its size: type 4, the message, trailing bits.
        let unit: [UInt8] = [0x2A, UInt8(Self.payload.count + 2), 0x04] + Self.payload + [0x80]
        #expect(PictureUserData.registered(in: unit[...], codec: .av1, framing: .annexB).map(\.countryCode) == [0xB5])
        #expect(PictureUserData.registered(in: unit[...], codec: .vp9, framing: .annexB) == [])
    }

    @Test func userDataOfMPEG2() {
        let data = Array("GA94".utf8) + [0x03, 0xC1, 0xFF, 0xFC, 0x94, 0x2C, 0xFF]
        let sample: [UInt8] = [0, 0, 1, 0x00, 1, 2, 3, 4, 0, 0, 1, 0xB2] + data + [0, 0, 0, 1, 0xB5, 0x80, 0, 0, 1, 0x01, 9, 9, 0, 0, 1, 0xB2, 7]
        #expect(PictureUserData.mpeg2(in: sample[...]).map(Array.init) == [data, [7]])
        for bytes in Damage.all(of: sample) { _ = PictureUserData.mpeg2(in: bytes[...]) }
    }
}
