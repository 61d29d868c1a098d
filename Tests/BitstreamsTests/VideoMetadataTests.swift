import BitsAndTime
@testable import Bitstreams
import Testing
import TestSupport

/// Messages of our own, written field by field.
enum MetadataFixture {
    /// P3 primaries, D65, 0.0001 to 1000 cd/m².
    static let masteringDisplay: [UInt8] = [
        0x33, 0xC2, 0x86, 0xC4, 0x1D, 0x4C, 0x0B, 0xB8, 0x84, 0xD0, 0x3E, 0x80, 0x3D, 0x13, 0x40, 0x42, 0x00, 0x98, 0x96, 0x80, 0x00, 0x00, 0x00, 0x01,
    ]
    static let contentLight: [UInt8] = [0x03, 0xE8, 0x01, 0x90]

    /// A T.35 message of ST 2094-40 from the country code on.
    static func hdr10Plus(version: UInt64 = 1, windows: Int = 1, peaks: Bool = false, curve: Bool = true, _ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bits = BitWriter()
        for byte in [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04] as [UInt64] { bits.writeBits(byte, 8) }
        bits.writeBits(version, 8)
        bits.writeBits(UInt64(windows), 2)
        for _ in 1..<windows {
            for field in [10, 10, 600, 300, 305, 155] as [UInt64] { bits.writeBits(field, 16) }
            bits.writeBits(45, 8)
            for field in [100, 200, 50] as [UInt64] { bits.writeBits(field, 16) }
            bits.writeFlag(true)
        }
        bits.writeBits(400, 27)
        func luminances() {
            bits.writeFlag(peaks)
            guard peaks else { return }
            bits.writeBits(2, 5)
            bits.writeBits(25, 5)
            for i in 0..<50 { bits.writeBits(UInt64(i & 15), 4) }
        }
        luminances()
        for window in 0..<windows {
            for field in [7768, 6589, 6912, 263] as [UInt64] { bits.writeBits(field + UInt64(window), 17) }
            bits.writeBits(9, 4)
            for percentage in [1, 5, 10, 25, 50, 75, 90, 95, 99] as [UInt64] {
                bits.writeBits(percentage, 7)
                bits.writeBits(percentage * 100, 17)
            }
            bits.writeBits(5, 10)
        }
        luminances()
        for _ in 0..<windows {
            bits.writeFlag(curve)
            if curve {
                bits.writeBits(164, 12)
                bits.writeBits(240, 12)
                bits.writeBits(9, 4)
                for anchor in 1...9 { bits.writeBits(UInt64(anchor) * 100, 10) }
            }
            bits.writeFlag(true)
            bits.writeBits(33, 6)
        }
        var bytes = bits.bytes
        change(&bytes)
        return bytes
    }

    /// A T.35 message of HDR Vivid from the country code on.
    static func hdrVivid(startCode: UInt64 = 1, curves: Int = 2, spline: Bool = true, saturation: Bool = true) -> [UInt8] {
        var bits = BitWriter()
        for byte in [0x26, 0x00, 0x04, 0x00, 0x05] as [UInt64] { bits.writeBits(byte, 8) }
        bits.writeBits(startCode, 8)
        for value in [12, 700, 90, 3000] as [UInt64] { bits.writeBits(value, 12) }
        bits.writeFlag(curves > 0)
        if curves > 0 {
            bits.writeBits(UInt64(curves - 1), 1)
            for _ in 0..<curves {
                bits.writeBits(2080, 12)
                bits.writeFlag(true)
                for (value, count) in [(9000, 14), (24, 6), (500, 10), (30, 10), (10, 6), (1, 2), (1, 2), (1, 4), (2, 3), (40, 7)] as [(UInt64, Int)] {
                    bits.writeBits(value, count)
                }
                bits.writeFlag(spline)
                guard spline else { continue }
                bits.writeBits(1, 1)
                for mode in [0, 3] as [UInt64] {
                    bits.writeBits(mode, 2)
                    if mode == 0 { bits.writeBits(128, 8) }
                    for (value, count) in [(1000, 12), (200, 10), (300, 10), (99, 8)] as [(UInt64, Int)] { bits.writeBits(value, count) }
                }
            }
        }
        bits.writeFlag(saturation)
        if saturation {
            bits.writeBits(3, 3)
            for gain in [100, 128, 90] as [UInt64] { bits.writeBits(gain, 8) }
        }
        return bits.bytes
    }

    static func sei(_ messages: [SEIMessage]) -> [UInt8] { SEIMessage.unit(header: [0x4E, 0x01], messages: messages) }
    static func userData(_ payload: [UInt8]) -> SEIMessage { SEIMessage(payloadType: 4, payload: payload) }

    /// An AV1 metadata OBU.
    static func metadataUnit(type: UInt8, _ payload: [UInt8]) -> [UInt8] { [0x2A, UInt8(payload.count + 2)] + [type] + payload + [0x80] }

    static func annexB(_ units: [[UInt8]]) -> [UInt8] { units.reduce(into: []) { $0 += [0, 0, 0, 1] + $1 } }
    static let slice: [UInt8] = [0x26, 0x01, 0xAF, 0x09, 0x40]
}

struct VideoMetadataTests {
    typealias Fixture = MetadataFixture

    private func metadata(_ units: [[UInt8]], codec: RandomAccess.Codec = .hevc) -> VideoMetadata {
        VideoMetadata(sample: Fixture.annexB(units)[...], codec: codec, framing: .annexB)
    }

    @Test func messagesComeOutAsTheyWentIn() {
        // A payload longer than one size byte says, one that needs emulation prevention, an empty one, and a type past 255.
        let messages = [
            SEIMessage(payloadType: 5, payload: [UInt8](repeating: 7, count: 600)), SEIMessage(payloadType: 137, payload: [0, 0, 1, 0, 0, 0, 3]),
            SEIMessage(payloadType: 300, payload: []), SEIMessage(payloadType: 4, payload: [UInt8](repeating: 0, count: 255)),
        ]
        let unit = Fixture.sei(messages)
        let read = SEIMessage.messages(in: unit[...], headerByteCount: 2)
        #expect(read.messages == messages && read.isWhole)
        for bytes in Damage.truncations(of: unit) { #expect(!SEIMessage.messages(in: bytes[...], headerByteCount: 2).isWhole) }
        for bytes in Damage.mutations(of: unit) { _ = SEIMessage.messages(in: bytes[...], headerByteCount: 2) }
    }

    @Test func staticMetadataIsReadInBothCodecs() throws {
        let messages = [
            SEIMessage(payloadType: 137, payload: Fixture.masteringDisplay), SEIMessage(payloadType: 144, payload: Fixture.contentLight),
            SEIMessage(payloadType: 147, payload: [18]),
        ]
        for found in [
            metadata([Fixture.sei(messages), Fixture.slice]),
            metadata([SEIMessage.unit(header: [0x06], messages: messages), [0x65, 0x88, 0x84]], codec: .avc),
            VideoMetadata(units: [Fixture.sei(messages)[...]], codec: .hevc),
        ] {
            let display = try #require(found.masteringDisplay)
            #expect(display.red == .init(x: 34_000, y: 16_000) && display.green == .init(x: 13_250, y: 34_500) && display.blue == .init(x: 7_500, y: 3_000))
            #expect(display.whitePoint == .init(x: 15_635, y: 16_450) && display.maximumLuminance == 10_000_000 && display.minimumLuminance == 1)
            #expect(display.isPlausible && display.serialized() == Fixture.masteringDisplay)
            #expect(found.contentLight == .init(maximumContent: 1000, maximumPictureAverage: 400) && found.contentLight?.serialized() == Fixture.contentLight)
            #expect(found.preferredTransfer == 18 && found.isWhole && found.hdr10Plus == nil && found.hdrVivid == nil)
        }
        let nothing = try MasteringDisplayColourVolume(seiPayload: [UInt8](repeating: 0, count: 24)[...])
        #expect(!nothing.isPlausible && !ContentLightLevelInformation(maximumContent: 0, maximumPictureAverage: 0).isKnown)
    }

    @Test func whatAnEnhancementLayerSaysIsNotThePictures() {
        let other = SEIMessage.unit(header: [0x4E, 0x09], messages: [SEIMessage(payloadType: 144, payload: Fixture.contentLight)])
        #expect(metadata([other, Fixture.slice]).contentLight == nil)
    }

    @Test func cutMessagesLeaveTheQuestionOpen() {
        for cut in [23, 3] {
            let unit = Fixture.sei([SEIMessage(payloadType: cut == 23 ? 137 : 144, payload: Array(Fixture.masteringDisplay.prefix(cut)))])
            let found = metadata([unit, Fixture.slice])
            #expect(found.masteringDisplay == nil && found.contentLight == nil && !found.isWhole)
        }
    }

    @Test(arguments: [0, 1] as [UInt64], [1, 2, 3]) func hdr10PlusIsProvedByItsWholeStructure(version: UInt64, windows: Int) throws {
        for choice in 0..<4 {
            let payload = Fixture.hdr10Plus(version: version, windows: windows, peaks: choice & 1 != 0, curve: choice & 2 != 0)
            let found = try #require(metadata([Fixture.sei([Fixture.userData(payload)]), Fixture.slice]).hdr10Plus)
            #expect(found.applicationVersion == UInt8(version) && found.windowCount == windows && found.targetedSystemDisplayMaximumLuminance == 400)
            #expect(found.maxSCL == [7768, 6589, 6912] && found.averageMaxRGB == 263 && found.hasToneMappingCurve == (choice & 2 != 0))
            // One byte less, and it is no such message.
            for count in 0..<payload.count {
                #expect(metadata([Fixture.sei([Fixture.userData(Array(payload.prefix(count)))]), Fixture.slice]).hdr10Plus == nil)
            }
            for bytes in Damage.mutations(of: payload) { _ = metadata([Fixture.sei([Fixture.userData(bytes)]), Fixture.slice]) }
        }
    }

    @Test func whatOnlyLooksLikeHDR10PlusIsNone() {
        func found(_ payload: [UInt8]) -> Bool { metadata([Fixture.sei([Fixture.userData(payload)]), Fixture.slice]).hdr10Plus != nil }
        #expect(found(Fixture.hdr10Plus()))
        #expect(!found(Fixture.hdr10Plus(version: 2)), "a version nobody defined")
        for (place, value) in [(0, 0xB4), (2, 0x3D), (4, 0x02), (5, 0x05)] as [(Int, UInt8)] { #expect(!found(Fixture.hdr10Plus { $0[place] = value })) }
        #expect(!found(Fixture.hdr10Plus { $0[7] &= 0x3F }), "no window")
        #expect(!found(Fixture.hdr10Plus { $0[7] |= 0x3F }), "a display brighter than any")
        // The same bytes inside another message, or inside a picture, are no metadata.
        #expect(metadata([Fixture.sei([SEIMessage(payloadType: 5, payload: Fixture.hdr10Plus())]), Fixture.slice]).hdr10Plus == nil)
        #expect(metadata([Fixture.slice + Fixture.hdr10Plus()]).hdr10Plus == nil)
    }

    @Test(arguments: 1...7 as ClosedRange<UInt64>) func hdrVividIsProvedByItsWholeStructure(startCode: UInt64) throws {
        for choice in 0..<12 {
            let payload = Fixture.hdrVivid(startCode: startCode, curves: choice % 3, spline: choice & 4 != 0, saturation: choice & 1 != 0)
            let found = try #require(metadata([Fixture.sei([Fixture.userData(payload)]), Fixture.slice]).hdrVivid)
            #expect(found.systemStartCode == UInt8(startCode) && found.minimumMaxRGB == 12 && found.averageMaxRGB == 700 && found.maximumMaxRGB == 3000)
            for count in 0..<payload.count {
                #expect(metadata([Fixture.sei([Fixture.userData(Array(payload.prefix(count)))]), Fixture.slice]).hdrVivid == nil)
            }
            #expect(metadata([Fixture.sei([Fixture.userData(payload + [0])]), Fixture.slice]).hdrVivid == found)
            #expect(metadata([Fixture.sei([Fixture.userData(payload + [1])]), Fixture.slice]).hdrVivid == nil)
            for bytes in Damage.mutations(of: payload, count: 100) { _ = metadata([Fixture.sei([Fixture.userData(bytes)]), Fixture.slice]) }
        }
        for code in [0, 8, 255] as [UInt64] {
            #expect(metadata([Fixture.sei([Fixture.userData(Fixture.hdrVivid(startCode: code))]), Fixture.slice]).hdrVivid == nil)
        }
    }

    @Test func av1SaysTheSameInItsOwnUnits() throws {
        // Rec. 2020 primaries in 0.16 bits, 1000 and 0.005 cd/m² in 24.8 and 18.14.
        let display: [UInt8] = [
            0xB5, 0x3F, 0x4A, 0xC1, 0x2B, 0x85, 0xCC, 0x08, 0x21, 0x89, 0x0B, 0xC7, 0x50, 0x0D, 0x54, 0x39, 0x00, 0x03, 0xE8, 0x00, 0x00, 0x00, 0x00, 0x52,
        ]
        let units: [[UInt8]] = [
            [0x12, 0x00], Fixture.metadataUnit(type: 1, Fixture.contentLight), Fixture.metadataUnit(type: 2, display),
            Fixture.metadataUnit(type: 4, Fixture.hdr10Plus()), Fixture.metadataUnit(type: 4, [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00, 0x37]),
            Fixture.metadataUnit(type: 5, [1]),
        ]
        let sample = units.flatMap(\.self)
        let found = VideoMetadata(sample: sample[...], codec: .av1, framing: .annexB)
        #expect(found.contentLight == .init(maximumContent: 1000, maximumPictureAverage: 400))
        let mastering = try #require(found.masteringDisplay)
        #expect(mastering.red == .init(x: 35_400, y: 14_600) && mastering.green == .init(x: 8_500, y: 39_850) && mastering.blue == .init(x: 6_550, y: 2_300))
        #expect(mastering.whitePoint == .init(x: 15_635, y: 16_450) && mastering.maximumLuminance == 10_000_000 && mastering.minimumLuminance == 50)
        #expect(found.hdr10Plus?.applicationVersion == 1 && found.hasDolbyVisionUserData && found.isWhole)
        for bytes in Damage.all(of: sample) { _ = VideoMetadata(sample: bytes[...], codec: .av1, framing: .annexB) }
        let open = VideoMetadata(sample: ([0x2A, 3, 4, 0xB5, 0]) [...], codec: .av1, framing: .annexB)
        #expect(!open.isWhole, "a message without its trailing bit has no end")
    }

    @Test func nothingIsAbsentWithoutProof() {
        var scan = DynamicMetadataScan(codec: .hevc)
        #expect(scan.hdr10Plus == .unknown && scan.hdrVivid == .unknown)
        func look(_ units: [[UInt8]]) { Fixture.annexB(units).withUnsafeBytes { scan.look(at: $0, framing: .annexB) } }
        look([Fixture.slice])
        look([Fixture.sei([SEIMessage(payloadType: 5, payload: [1, 2])]), Fixture.slice])
        #expect(scan.hdr10Plus == .absentWithinScan(accessUnits: 2) && scan.hdrVivid == .absentWithinScan(accessUnits: 2))
        look([[0x4E, 0x01, 4, 200, 0xB5, 0x80], Fixture.slice])
        #expect(scan.hdr10Plus == .unknown, "what could not be read may have been one")
        look([Fixture.sei([Fixture.userData(Fixture.hdr10Plus())]), Fixture.slice])
        #expect(scan.hdr10Plus == .present(applicationVersion: 1) && scan.hdrVivid == .unknown && !scan.isFinished)
        look([Fixture.sei([Fixture.userData(Fixture.hdrVivid())]), Fixture.slice])
        #expect(scan.hdrVivid == .present(applicationVersion: nil) && scan.isFinished)

        var bounded = DynamicMetadataScan(codec: .hevc)
        for _ in 0..<DynamicMetadataScan.accessUnitLimit { Fixture.annexB([Fixture.slice]).withUnsafeBytes { bounded.look(at: $0, framing: .annexB) } }
        #expect(bounded.isFinished && bounded.hdr10Plus == .absentWithinScan(accessUnits: 24))
        Fixture.annexB([Fixture.sei([Fixture.userData(Fixture.hdr10Plus())])]).withUnsafeBytes { bounded.look(at: $0, framing: .annexB) }
        #expect(bounded.hdr10Plus == .absentWithinScan(accessUnits: 24), "what lies past the bound was not looked at")
    }
}
