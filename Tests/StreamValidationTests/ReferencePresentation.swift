import BitsAndTime
import Bitstreams
import Foundation
import ISOBMFF
import StreamValidation

/// A presentation that keeps every rule, made in memory: two variants, two languages, subtitles and an I-frame playlist, five segments of
/// four seconds. Tests break one thing in it at a time.
struct ReferencePresentation {
    struct File {
        var bytes: [UInt8]
        var headers: [String: String]
        var redirectedTo: String?
    }

    static let base = "http://test.invalid/"
    static let segmentCount = 5
    static let picturesPerSegment = 100
    static let pictureTicks: UInt32 = 512  // of 12,800

    var files: [String: File] = [:]
    /// Names asked for that a fault was to change and that are not there: the table is wrong.
    var mistakes: [String] = []

    /// Made once.
    static let whole = ReferencePresentation(parts: ())

    init() { self = Self.whole }

    private init(parts: Void) {
        for name in ["lo", "hi"] { addVideo(name, pictureBytes: name == "lo" ? 60 : 120) }
        for name in ["en", "fr"] { addAudio("audio/" + name) }
        addText("text/en")
        addFrames()
        addMultivariant()
    }

    // MARK: Parts

    /// 640x384, Main profile, level 3.
    static var parameterSets: [[UInt8]] {
        var bits = BitWriter()
        for byte in [0x67, 77, 0x40, 30] { bits.writeBits(byte, 8) }
        for value: UInt32 in [0, 0, 0, 0, 1] { bits.writeUE(value) }
        bits.writeFlag(false)
        bits.writeUE(39)
        bits.writeUE(23)
        for flag in [true, true, false, false, true] { bits.writeFlag(flag) }
        bits.alignToByte()
        return [bits.bytes, [0x68, 0xCE, 0x3C, 0x80]]
    }

    static var videoInitialization: InitializationSegment {
        let sets = parameterSets
        let record = try? AVCDecoderConfigurationRecord(parameterSets: sets.map { $0[...] })
        let entry = VisualSampleEntry(
            format: "avc1", width: 640, height: 384, configurationBoxes: [RawBox(type: "avcC", payload: record?.serialized() ?? [])],
            colour: ColourInformation(primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
        return InitializationSegment(timescale: 12_800, sampleEntry: .visual(entry), displayWidth: 640, displayHeight: 384)
    }

    static var audioInitialization: InitializationSegment {
        let esds = ElementaryStreamDescriptor(decoderSpecificInfo: [0x11, 0x90]).serialized()
        let entry = AudioSampleEntry(format: "mp4a", channelCount: 2, sampleRate: 48_000, configurationBoxes: [RawBox(type: "esds", payload: esds)])
        return InitializationSegment(timescale: 48_000, language: "eng", sampleEntry: .audio(entry))
    }

    /// A picture in one NAL unit behind its length: IDR, or a P slice.
    static func picture(isIDR: Bool, byteCount: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt32(byteCount - 4))
        writer.write(contentsOf: isIDR ? [0x65, 0xB8] as [UInt8] : [0x41, 0x98])
        writer.write(contentsOf: repeatElement(0x55 as UInt8, count: byteCount - 6))
        return writer.bytes
    }

    struct Segment {
        var fragment: MovieFragment
        var data: [UInt8]

        /// The data's size goes into mdat, whether samples take all of it or not.
        var bytes: [UInt8] {
            var header = fragment.serializedHeader()
            let size = UInt32(8 + data.count)
            header.replaceSubrange((header.count - 8)..<(header.count - 4), with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) })
            return header + data
        }
    }

    static func videoSegment(_ index: Int, pictureBytes: Int) -> Segment {
        var data: [UInt8] = []
        var samples: [FragmentSample] = []
        for number in 0..<picturesPerSegment {
            // The first segment is the heaviest: a peak over the average.
            let picture = picture(isIDR: number == 0, byteCount: number == 0 ? (index == 0 ? 4000 : 900) : pictureBytes)
            data += picture
            samples.append(
                FragmentSample(byteCount: UInt32(picture.count), durationTicks: pictureTicks, compositionTimeOffsetTicks: 0, flags: number == 0 ? .sync : .nonSync))
        }
        let start = UInt64(index * picturesPerSegment) * UInt64(pictureTicks)
        return Segment(fragment: MovieFragment(sequenceNumber: UInt32(index + 1), trackID: 1, baseMediaDecodeTime: start, samples: samples), data: data)
    }

    static func audioSegment(_ index: Int) -> Segment {
        let (first, next) = ((index * 192_000 + 1023) / 1024, ((index + 1) * 192_000 + 1023) / 1024)
        let samples = [FragmentSample](
            repeating: FragmentSample(byteCount: 32, durationTicks: 1024, compositionTimeOffsetTicks: 0, flags: .sync), count: next - first)
        return Segment(
            fragment: MovieFragment(sequenceNumber: UInt32(index + 1), trackID: 1, baseMediaDecodeTime: UInt64(first * 1024), samples: samples),
            data: [UInt8](repeating: 0x21, count: 32 * samples.count))
    }

    static func text(_ index: Int) -> String {
        let cue = "00:00:\(index * 4 < 9 ? "0" : "")\(index * 4 + 1).000 --> 00:00:\(index * 4 < 8 ? "0" : "")\(index * 4 + 2).500\nline \(index)\n"
        let second = "00:00:\(index * 4 < 8 ? "0" : "")\(index * 4 + 2).000 --> 00:00:\(index * 4 < 7 ? "0" : "")\(index * 4 + 3).000 line:0\nsecond\n"
        return "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n\(cue)\n\(second)"
    }

    // MARK: Files

    private mutating func addVideo(_ name: String, pictureBytes: Int) {
        add("\(name)/init.mp4", Self.videoInitialization.serialized(), "video/mp4")
        for index in 0..<Self.segmentCount { add("\(name)/seg\(index).m4s", Self.videoSegment(index, pictureBytes: pictureBytes).bytes, "video/mp4") }
        addPlaylist("\(name)/index.m3u8", Self.mediaPlaylist(map: "init.mp4") { "seg\($0).m4s" })
    }

    private mutating func addAudio(_ name: String) {
        add("\(name)/init.mp4", Self.audioInitialization.serialized(), "audio/mp4")
        for index in 0..<Self.segmentCount { add("\(name)/seg\(index).m4s", Self.audioSegment(index).bytes, "audio/mp4") }
        addPlaylist("\(name)/index.m3u8", Self.mediaPlaylist(map: "init.mp4") { "seg\($0).m4s" })
    }

    private mutating func addText(_ name: String) {
        for index in 0..<Self.segmentCount { add("\(name)/seg\(index).vtt", Array(Self.text(index).utf8), "text/vtt") }
        addPlaylist("\(name)/index.m3u8", Self.mediaPlaylist(map: nil) { "seg\($0).vtt" })
    }

    /// Each range is a segment's moof and its first picture.
    private mutating func addFrames() {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-MAP:URI=\"frames/init.mp4\""]
        add("frames/init.mp4", Self.videoInitialization.serialized(), "video/mp4")
        for index in 0..<Self.segmentCount {
            let segment = Self.videoSegment(index, pictureBytes: 120)
            lines += ["#EXTINF:4.000,", "#EXT-X-BYTERANGE:\(segment.fragment.serializedHeader().count + (index == 0 ? 4000 : 900))@0", "frames/seg\(index).m4s"]
            add("frames/seg\(index).m4s", segment.bytes, "video/mp4")
        }
        addPlaylist("frames.m3u8", (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n"))
    }

    static func mediaPlaylist(map: String?, uri: (Int) -> String) -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD"]
        if let map { lines.append("#EXT-X-MAP:URI=\"\(map)\"") }
        for index in 0..<segmentCount { lines += ["#EXTINF:4.000,", uri(index)] }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }

    /// Bits a second of a part: the first segment's and all segments'.
    private func rate(_ folder: String, _ suffix: String) -> (peak: Int, average: Int) {
        let sizes = (0..<Self.segmentCount).map { files["\(folder)/seg\($0).\(suffix)"]?.bytes.count ?? 0 }
        return ((sizes.max() ?? 0) * 2, sizes.reduce(0, +) * 8 / (4 * Self.segmentCount))
    }

    private mutating func addMultivariant() {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-INDEPENDENT-SEGMENTS"]
        lines.append(#"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/en/index.m3u8""#)
        lines.append(#"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio/fr/index.m3u8""#)
        lines.append(#"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="text/en/index.m3u8""#)
        for name in ["lo", "hi"] {
            let (video, audio, text) = (rate(name, "m4s"), rate("audio/en", "m4s"), rate("text/en", "vtt"))
            lines.append(
                "#EXT-X-STREAM-INF:BANDWIDTH=\(video.peak + audio.peak + text.peak),AVERAGE-BANDWIDTH=\(video.average + audio.average + text.average),"
                    + #"CODECS="avc1.4D401E,mp4a.40.2",RESOLUTION=640x384,FRAME-RATE=25.000,VIDEO-RANGE=SDR,AUDIO="a",SUBTITLES="s",CLOSED-CAPTIONS=NONE"#)
            lines.append("\(name)/index.m3u8")
        }
        let frames = (0..<Self.segmentCount).map { Self.videoSegment($0, pictureBytes: 120).fragment.serializedHeader().count + ($0 == 0 ? 4000 : 900) }
        let (peak, average) = (frames[0] * 2, frames.reduce(0, +) * 8 / 20)
        lines.append(#"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\#(peak),AVERAGE-BANDWIDTH=\#(average),CODECS="avc1.4D401E",RESOLUTION=640x384,URI="frames.m3u8""#)
        addPlaylist("master.m3u8", lines.joined(separator: "\n") + "\n")
    }

    private mutating func add(_ name: String, _ bytes: [UInt8], _ type: String) {
        files[name] = File(bytes: bytes, headers: ["content-type": type, "access-control-allow-origin": "*"])
    }

    private mutating func addPlaylist(_ name: String, _ text: String) {
        add(name, Array(text.utf8), "application/vnd.apple.mpegurl")
        files[name]?.headers["content-encoding"] = "gzip"
    }
}

/// Serves a presentation from memory; a file may have several versions, which follow one another with each reading.
struct MemoryFetcher: ResourceFetcher {
    let presentation: ReferencePresentation

    func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched {
        let name = String(url.absoluteString.dropFirst(ReferencePresentation.base.count))
        guard let file = presentation.files[name] else { throw FetchFailure("\(name): HTTP 404") }
        let from = file.redirectedTo.flatMap { URL(string: ReferencePresentation.base + $0) } ?? url
        guard let range else { return Fetched(bytes: file.bytes, headers: file.headers, url: from) }
        guard range.upperBound <= file.bytes.count else { throw FetchFailure("\(name): HTTP 416") }
        return Fetched(bytes: Array(file.bytes[range]), headers: file.headers, url: from)
    }
}
