import Foundation
import Libav
import Testing

struct DescriptionTests {
    @Test func everyCodecNameIsOneFFmpegKnows() throws {
        let listing = try Fixtures.run("ffmpeg", ["-v", "error", "-codecs"])
        let known = Set(listing.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        // AC-4 has its number since FFmpeg 7.1 or later; the last two are not codecs.
        #expect(Set(CodecID.named.keys).subtracting(known).isSubset(of: ["ac4", "none", "unknown_codec"]))
        #expect(CodecID(libavName: "pcm_s16le") == .pcm("s16le") && CodecID(libavName: "cinepak") == .other("cinepak"))
        #expect(CodecID(libavName: "none") == .unknown)
        let demuxer = try Demuxer(url: Fixtures.mp4)
        #expect(demuxer.streams.map(\.codec) == [.h264, .aac])
    }

    @Test func brightnessIsInTheStandardsUnits() throws {
        // BT.2020 primaries, D65, 1000 and 0.0001 cd/m²: green, blue, red, white, then luminance.
        let display: [UInt16] = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450]
        var payload = display.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        payload += [0x00, 0x98, 0x96, 0x80, 0, 0, 0, 1]
        let boxes = box("mdcv", payload) + box("clli", [0x03, 0xE8, 0x01, 0x90])
        var bytes = Fixtures.bytes(of: Fixtures.mp4)
        let whole = 0..<bytes.count
        let path = [("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("avc1", 86)]
        try #require(insert(boxes, into: &bytes, path[...], within: whole) > 0)

        let video = try Demuxer(bytes: bytes).streams[0]
        #expect(
            video.masteringDisplay
                == MasteringDisplay(
                    red: .init(x: 35400, y: 14600), green: .init(x: 8500, y: 39850), blue: .init(x: 6550, y: 2300),
                    whitePoint: .init(x: 15635, y: 16450), maximumLuminance: 10_000_000, minimumLuminance: 1))
        #expect(video.contentLightLevel == ContentLightLevel(maximum: 1000, maximumFrameAverage: 400))
        let plain = try Demuxer(url: Fixtures.mp4)
        #expect(plain.streams[0].masteringDisplay == nil && plain.streams[0].contentLightLevel == nil)
    }

    @Test func chromaLocationIsTheStandardsNumber() throws {
        let demuxer = try Demuxer(url: Fixtures.matroska)
        try demuxer.findStreamInfo()
        // H.264 without chroma_loc_info is sited left.
        #expect(demuxer.streams[0].chromaLocation == 0 && demuxer.streams[1].chromaLocation == nil)
    }

    @Test func onlyASourceWithoutAnEndLooksLive() throws {
        for path in ReadingTests.containers {
            let demuxer = try Demuxer(url: path)
            #expect(!demuxer.isLikelyLive)
            let packet = try #require(try demuxer.readPacket())
            let (offset, size) = (try #require(demuxer.position), try #require(demuxer.containerByteCount))
            #expect((packet.position + Int64(packet.byteCount)...size).contains(offset))
        }
        let endless = try Demuxer(input: ForwardBytes(Fixtures.bytes(of: Fixtures.transportStream)))
        try endless.findStreamInfo()
        #expect(endless.isLikelyLive && !endless.isSeekable)
    }

    @Test func libavsOwnOptionsAreAskedByName() throws {
        let plain = try Demuxer(url: Fixtures.aac)
        #expect(try plain.readPacket()?.pts == -1024)
        let options = DemuxerOptions(extra: ["ignore_editlist": "1", "no_such_option": "x"])
        #expect(try Demuxer(url: Fixtures.aac, options: options).readPacket()?.pts == 0)
        for bad in [["": "x"], ["a\0": "x"], ["a": "x\0"]] {
            #expect(failure { _ = try Demuxer(url: Fixtures.aac, options: DemuxerOptions(extra: bad)) }?.operation == "open")
        }
    }

    @Test func missingPresentationTimesAreMadeOnRequest() throws {
        func missing(_ options: DemuxerOptions) throws -> Int {
            let demuxer = try Demuxer(url: Fixtures.avi, options: options)
            try demuxer.findStreamInfo()
            var count = 0
            while let packet = try demuxer.readPacket() { count += packet.pts == nil ? 1 : 0 }
            return count
        }
        #expect(try missing(DemuxerOptions()) > 10)
        #expect(try missing(DemuxerOptions(generatesMissingPTS: true)) == 0)
    }

    private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let size = UInt32(payload.count + 8)
        return [UInt8(size >> 24), UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + Array(type.utf8) + payload
    }

    /// Appends `added` to the first box at `path` (a type, and where its children begin), and grows it and its parents.
    /// Returns how many bytes were added. Behind the media, where FFmpeg writes `moov`, no offset has to move.
    private func insert(
        _ added: [UInt8], into bytes: inout [UInt8], _ path: ArraySlice<(String, Int)>, within range: Range<Int>
    ) -> Int {
        guard let (type, children) = path.first else {
            bytes.insert(contentsOf: added, at: range.upperBound)
            return added.count
        }
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, offset + size <= range.upperBound else { return 0 }
            if Array(bytes[offset + 4..<offset + 8]) == Array(type.utf8) {
                let grown = insert(added, into: &bytes, path.dropFirst(), within: offset + children..<offset + size)
                for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[offset + index] = UInt8((size + grown) >> shift & 0xFF) }
                return grown
            }
            offset += size
        }
        return 0
    }
}

/// Bytes that can only be read forward, of unknown length.
private final class ForwardBytes: DemuxerInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var byteCount: Int64? { nil }
    var isSeekable: Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        return count
    }

    func seek(to offset: Int64) throws(LibavError) { throw LibavError(errno: 29, operation: "seek") }
}
