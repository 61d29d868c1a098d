import BitsAndTime
@testable import Captions
import Testing
import TestSupport

@Suite struct CaptionDataTests {
    /// Two fields and the start of a packet, as an encoder wrote them.
    private static let data: [UInt8] = [0xC3, 0xFF, 0xFC, 0x94, 0x2C, 0xFD, 0x80, 0x80, 0xFE, 0x41, 0x42, 0xFF]
    private static let triplets = [CaptionTriplet(.field1, 0x94, 0x2C), CaptionTriplet(.field2, 0x80, 0x80), CaptionTriplet(.dtvccData, 0x41, 0x42)]
    private static let message: [UInt8] = [0x00, 0x31] + Array("GA94".utf8) + [0x03] + data

    private func parse(_ bytes: [UInt8]) -> CaptionData? {
        var reader = ByteReader(bytes)
        return try? CaptionData(parsing: &reader)
    }

    private func serialized(_ data: CaptionData) -> [UInt8] {
        var writer = ByteWriter()
        data.serialize(to: &writer)
        return writer.bytes
    }

    @Test func dataReadsAsItWasWritten() throws {
        let data = try #require(parse(Self.data))
        #expect(data.triplets == Self.triplets && data.isToBeProcessed && serialized(data) == Self.data)
        for bytes in Damage.all(of: Self.data) {
            guard let found = parse(bytes) else { continue }
            #expect(parse(serialized(found)) == found)
        }
        // What there is of a count that promises more.
        #expect(parse([0xDF, 0xFF, 0xFC, 0x94, 0x2C, 0xFD])?.triplets == [CaptionTriplet(.field1, 0x94, 0x2C)])
    }

    @Test func messagesOfOthersAreNone() {
        #expect(CaptionUserData.triplets(countryCode: 0xB5, payload: Self.message[...]) == Self.triplets)
        #expect(CaptionUserData.triplets(countryCode: 0x26, payload: Self.message[...]) == [])
        // Bar data, HDR10+, and data that is not to be processed.
        var other = Self.message
        other[6] = 6
        #expect(CaptionUserData.triplets(countryCode: 0xB5, payload: other[...]) == [])
        #expect(CaptionUserData.triplets(countryCode: 0xB5, payload: [0x00, 0x3C, 0x00, 0x01, 0x04]) == [])
        var idle = Self.message
        idle[7] = 0x83
        #expect(CaptionUserData.triplets(countryCode: 0xB5, payload: idle[...]) == [])
        // DirecTV's form.
        #expect(CaptionUserData.triplets(countryCode: 0xB5, payload: ([0x00, 0x2F, 0x03, 0x0C] + Self.data)[...]) == Self.triplets)
        for bytes in Damage.all(of: Self.message) { _ = CaptionUserData.triplets(countryCode: 0xB5, payload: bytes[...]) }
    }

    @Test func threeKindsOfUserDataInMPEG2() {
        #expect(CaptionUserData.triplets(pictureUserData: [Self.message.dropFirst(2)]) == Self.triplets)
        // SCTE 20: one pair of the first field (94 2C with bits reversed: 29 34), one of the second.
        var bits = BitWriter()
        bits.writeBits(2, 5)
        for field in [1, 2] as [UInt64] {
            for (value, count) in [(0, 2), (field, 2), (11, 5), (0x29, 8), (0x34, 8), (1, 1)] as [(UInt64, Int)] { bits.writeBits(value, count) }
        }
        let scte = [0x03, 0x81] + bits.bytes
        #expect(CaptionUserData.triplets(pictureUserData: [scte[...]]) == [CaptionTriplet(.field1, 0x94, 0x2C), CaptionTriplet(.field2, 0x94, 0x2C)])
        // A DVD's group of two frames: the second frame's pairs are a frame later.
        let dvd: [UInt8] = [0x43, 0x43, 0x01, 0xF8, 0x84, 0xFF, 0x94, 0x20, 0xFE, 0x80, 0x80, 0xFF, 0x94, 0x2F, 0xFE, 0x80, 0x80]
        #expect(CaptionUserData.triplets(pictureUserData: [dvd[...]]) == [
            CaptionTriplet(.field1, 0x94, 0x20), CaptionTriplet(.field2, 0x80, 0x80),
            CaptionTriplet(.field1, 0x94, 0x2F, frameOffset: 1), CaptionTriplet(.field2, 0x80, 0x80, frameOffset: 1),
        ])
        // The same in two forms is said once; that of two fields is not the same.
        #expect(CaptionUserData.triplets(pictureUserData: [scte[...], Self.message.dropFirst(2)]) == Self.triplets)
        #expect(CaptionUserData.triplets(pictureUserData: [Self.message.dropFirst(2), Self.message.dropFirst(2)]) == Self.triplets + Self.triplets)
        for whole in [scte, dvd] {
            for bytes in Damage.all(of: whole) { _ = CaptionUserData.triplets(pictureUserData: [bytes[...]]) }
        }
    }

    @Test func distributionPackets() throws {
        let packet = CaptionDistributionPacket(frameRate: 4, sequence: 7, triplets: Self.triplets, otherSections: [0x73, 0xF1, 1, 2, 3, 4, 5, 6, 7])
        let bytes = packet.serialized()
        #expect(try CaptionDistributionPacket(parsing: bytes[...]) == packet)
        // SMPTE ST 334-2: identifier, length, rate 29.97, one triplet, footer, checksum.
        let known: [UInt8] = [0x96, 0x69, 0x10, 0x4F, 0x43, 0x00, 0x07, 0x72, 0xE1, 0xFC, 0x94, 0x2C, 0x74, 0x00, 0x07, 0xBC]
        let sum = known.dropLast().reduce(0, &+)
        #expect(try CaptionDistributionPacket(parsing: (known.dropLast() + [0 &- sum])[...]).triplets == [CaptionTriplet(.field1, 0x94, 0x2C)])
        for spoilt in Damage.all(of: bytes) {
            if let found = try? CaptionDistributionPacket(parsing: spoilt[...]) {
                #expect(try CaptionDistributionPacket(parsing: found.serialized()[...]).triplets == Array(found.triplets.prefix(31)))
            }
        }
    }

    @Test func samplesOfCaptionTracks() {
        let sample: [UInt8] = [0, 0, 0, 12, 0x63, 0x64, 0x61, 0x74, 0x94, 0x20, 0x94, 0x2F, 0, 0, 0, 10, 0x63, 0x64, 0x74, 0x32, 0x15, 0x2C]
        let expected = [
            CaptionTriplet(.field1, 0x94, 0x20), CaptionTriplet(.field1, 0x94, 0x2F, frameOffset: 1), CaptionTriplet(.field2, 0x15, 0x2C),
        ]
        #expect(QuickTimeCaptionSample.triplets(sample[...]) == expected)
        let packet = CaptionDistributionPacket(frameRate: 4, sequence: 0, triplets: Self.triplets).serialized()
        var writer = ByteWriter()
        writer.write(UInt32(8 + packet.count))
        writer.write(ascii: "ccdp")
        writer.write(contentsOf: packet)
        #expect(QuickTimeCaptionSample.triplets(writer.bytes[...]) == Self.triplets)
        for whole in [sample, writer.bytes] {
            for bytes in Damage.all(of: whole) { _ = QuickTimeCaptionSample.triplets(bytes[...]) }
        }
        // What a demuxer made of them, and bare pairs.
        #expect(CaptionData.triplets(raw: [0xFC, 0x94, 0x20, 0xFC, 0x94, 0x2F, 0xFD, 0x15, 0x2C]) == expected)
        #expect(CaptionData.triplets(raw: [0x94, 0x20, 0x94, 0x2F]) == Array(expected.prefix(2)))
        #expect(CaptionData.triplets(raw: []) == [] && CaptionData.triplets(raw: [0x94]) == [])
    }
}
