import BitsAndTime
import Bitstreams
import ISOBMFF
import Libav
import Testing
import TestSupport

/// The order of H.265 pictures, on ffmpeg's streams and on what is left of them.
@MainActor struct HEVCPictureOrderTests {
    private func stream() throws -> (set: HEVCSequenceParameterSet, pictures: [HEVCPictureParameterSet], samples: [[UInt8]]) {
        let pair = try Reference.pair("order", extension: "hevc", "\(Reference.picture) -c:v libx265 -preset ultrafast -x265-params log-level=error:open-gop=1:keyint=12:min-keyint=12:bframes=4")
        let record = try HEVCDecoderConfigurationRecord(parsing: try pair.box("hvcC"))
        return (try #require(record.firstSequenceParameterSet), record.pictureParameterSets, try pair.samples().map(\.bytes))
    }

    @Test func picturesComeOutOnceEachInWholeSequences() throws {
        let (set, pictures, samples) = try stream()
        var order = HEVCPictureOrder(set, pictureSets: pictures)
        let places = samples.map { sample in sample.withUnsafeBytes { order.order(of: $0, framing: .lengthPrefixed(lengthSize: 4)) } }
        let known = places.compactMap { $0 }
        #expect(known.count == samples.count)
        #expect(Set(known).count == samples.count)
        // x265 counts by one, and the stream reorders.
        let base = try #require(known.min())
        #expect(known.sorted() == known.indices.map { base + Int64($0) })
        #expect(known != known.sorted())
    }

    @Test func cutSamplesAndUnknownSetsGiveNothing() throws {
        let (set, pictures, samples) = try stream()
        let first = try #require(samples.last)
        for count in 0..<min(first.count, 80) {
            var order = HEVCPictureOrder(set, pictureSets: pictures)
            _ = first[..<count].withUnsafeBytes { order.order(of: $0, framing: .lengthPrefixed(lengthSize: 4)) }
        }
        var order = HEVCPictureOrder(set, pictureSets: [])
        #expect(first.withUnsafeBytes { order.order(of: $0, framing: .lengthPrefixed(lengthSize: 4)) } == nil)
    }
}
