import BitsAndTime
import ISOBMFF
import Testing
import TestSupport

struct TrackExtendsTests {
    private static let trex: [UInt8] = [
        0, 0, 0, 32, 0x74, 0x72, 0x65, 0x78, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 3, 1, 1, 0, 0,
    ]
    private static let value = TrackExtends(trackID: 7, durationTicks: 1024, byteCount: 3, flags: .nonSync)

    @Test func bytesOfTheStandard() throws {
        var writer = ByteWriter()
        Self.value.serialize(into: &writer)
        #expect(writer.bytes == Self.trex)
        #expect(try TrackExtends(parsing: try Box.sequence(in: Self.trex[...])[0]) == Self.value)
    }

    @Test func ofTwoForOneTrackTheFirstCounts() throws {
        var writer = ByteWriter()
        writer.writeBox("moov") { moov in
            moov.writeBox("mvex") {
                Self.value.serialize(into: &$0)
                TrackExtends(trackID: 7, durationTicks: 1).serialize(into: &$0)
                TrackExtends(trackID: 8).serialize(into: &$0)
            }
        }
        #expect(try TrackExtends.defaults(initialization: writer.bytes) == [7: Self.value, 8: TrackExtends(trackID: 8)])
        for bytes in Damage.all(of: writer.bytes) { _ = try? TrackExtends.defaults(initialization: bytes) }
    }

    /// A fragment of which only `trex` knows sizes, durations and flags.
    @Test func fragmentsThatLeaveThingsUnsaid() throws {
        var writer = ByteWriter()
        writer.writeBox("moof") { moof in
            moof.writeFullBox("mfhd") { $0.write(5 as UInt32) }
            moof.writeBox("traf") { traf in
                traf.writeFullBox("tfhd", flags: 0x2_0000) { $0.write(7 as UInt32) }
                traf.writeFullBox("tfdt") { $0.write(90 as UInt32) }
                traf.writeFullBox("trun", flags: 0x5) {
                    $0.write(2 as UInt32)
                    $0.write(96 as UInt32)  // moof of 88, header of mdat
                    $0.write(SampleFlags.sync.rawValue)
                }
            }
        }
        let moof = writer.bytes
        #expect(moof.count == 88)
        writer.writeBox("mdat") { $0.writeZeros(6) }
        let parsed = try MovieFragment.parse(segment: writer.bytes, defaults: [7: Self.value])
        #expect(parsed.map(\.sampleRanges) == [[96..<99, 99..<102]])
        #expect(
            parsed.map(\.fragment.samples) == [
                [SampleFlags.sync, .nonSync].map { FragmentSample(byteCount: 3, durationTicks: 1024, compositionTimeOffsetTicks: 0, flags: $0) }
            ])
        #expect(try MovieFragment.parse(segment: writer.bytes)[0].fragment.samples.map(\.durationTicks) == [0, 0])
    }

    /// Without default-base-is-moof a second track's offsets count from where the first one's data ended (§8.8.7.1).
    @Test(arguments: [false, true]) func tracksSideBySide(baseIsMoof: Bool) throws {
        // mfhd 16; each traf: 8 + tfhd 16 + tfdt 16 + trun 20 (24 with a size each sample).
        var writer = ByteWriter()
        let data = 8 + 16 + 2 * (8 + 16 + 16 + 24) + 8
        writer.writeBox("moof") { moof in
            moof.writeFullBox("mfhd") { $0.write(1 as UInt32) }
            for (track, size, offset) in [(1, 4, data), (2, 2, baseIsMoof ? data + 4 : 0)] as [(UInt32, UInt32, Int)] {
                moof.writeBox("traf") { traf in
                    traf.writeFullBox("tfhd", flags: baseIsMoof ? 0x2_0000 : 0) { $0.write(track) }
                    traf.writeFullBox("tfdt") { $0.write(0 as UInt32) }
                    traf.writeFullBox("trun", flags: 0x201) {
                        $0.write(1 as UInt32)
                        $0.write(UInt32(offset))
                        $0.write(size)
                    }
                }
            }
        }
        #expect(writer.count + 8 == data)
        writer.writeBox("mdat") { $0.write(contentsOf: [1, 1, 1, 1, 2, 2]) }
        let parsed = try MovieFragment.parse(segment: writer.bytes)
        #expect(parsed.map(\.fragment.trackID) == [1, 2] && parsed.map(\.sampleRanges) == [[data..<(data + 4)], [(data + 4)..<(data + 6)]])
    }
}
