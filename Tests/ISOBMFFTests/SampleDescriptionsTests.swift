import BitsAndTime
import ISOBMFF
import TestSupport
import Testing

@Suite struct SampleDescriptionsTests {
    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(content.count + 8)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(type.utf8) + content
    }

    private func track(_ number: UInt8, _ entries: [[UInt8]], tag: String? = nil) -> [UInt8] {
        let table = box("stsd", [0, 0, 0, 0, 0, 0, 0, UInt8(entries.count)] + entries.flatMap { $0 })
        let media = box("mdia", box("mdhd", [0, 0, 0, 0]) + (tag.map { box("elng", [0, 0, 0, 0] + Array($0.utf8) + [0]) } ?? []) + box("minf", box("stbl", box("stts", [0, 0, 0, 0, 0, 0, 0, 0]) + table)))
        return box("trak", box("tkhd", [0, 0, 0, 7] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, number] + [UInt8](repeating: 0, count: 68)) + media)
    }

    private func picture(_ type: String, _ inner: [UInt8]) -> [UInt8] { box(type, [UInt8](repeating: 0, count: 78) + inner) }

    private var movie: [UInt8] {
        box("moov", box("mvhd", [UInt8](repeating: 0, count: 100))
            + track(1, [picture("avc1", box("avcC", [1, 100, 0, 40])), picture("encv", box("avcC", [1, 77, 0, 31]) + box("sinf", []))])
            + track(2, [box("mp4a", [UInt8](repeating: 0, count: 28))], tag: "pt-BR"))
    }

    private func parse(_ bytes: [UInt8]) throws -> SampleDescriptions {
        try SampleDescriptions(moov: 0..<Int64(bytes.count)) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    }

    @Test func eachTrackListsItsEntriesInOrder() throws {
        let all = try parse(movie)
        #expect(all.tracks[1]?.map(\.format) == ["avc1", "encv"])
        #expect(all.tracks[1]?.map(\.isProtected) == [false, true])
        #expect(all.tracks[1]?.map(\.configuration) == [[1, 100, 0, 40], [1, 77, 0, 31]])
        #expect(all.tracks[2]?.map(\.format) == ["mp4a"])
        #expect(all.tracks[2]?.first?.configuration == nil)
        #expect(all.languages == [2: "pt-BR"])
    }

    @Test func damageIsAnErrorOrAnAnswerAndNeverATrap() {
        let whole = movie
        for count in whole.indices { _ = try? parse(Array(whole[..<count])) }
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) { bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            _ = try? parse(bytes)
        }
    }
}
