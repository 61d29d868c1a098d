import BitsAndTime
import Foundation
import Libav
import SubtitlePictures
import Subtitles
import TestSupport
import Testing

/// Every cue of a file's stream of pictures, in milliseconds from the file's zero.
func pictureCues(in url: URL, from first: Int = 0, atHead: Bool = true) throws -> (cues: [PictureCue], decoder: PictureTrackDecoder) {
    let demuxer = try Demuxer(url: url.path)
    try demuxer.findStreamInfo()
    let streams = demuxer.streams
    let stream = try #require(streams.first { SubtitleForm($0.codec) == .pictures })
    let parameters = try #require(CodecParameters(demuxer: demuxer, streamIndex: stream.index))
    let video = streams.first { $0.kind == .video }.flatMap { VideoFrame($0) }
    let decoder = try PictureTrackDecoder(parameters, codec: stream.codec, video: video, atHead: atHead)
    var cues: [PictureCue] = []
    var count = 0
    while let packet = try demuxer.readPacket() {
        guard packet.streamIndex == stream.index else { continue }
        defer { count += 1 }
        guard count >= first else { continue }
        let time = packet.pts.map { MediaTime(ticks: $0 * Int64(stream.timeBaseNumerator), timescale: stream.timeBaseDenominator) }
        cues += decoder.decode(packet, presentation: time)
    }
    return (cues + decoder.finish(), decoder)
}

func milliseconds(_ cues: [PictureCue]) -> [[Int64]] { cues.map { [$0.start.converted(to: 1000).ticks, $0.end.converted(to: 1000).ticks] } }

@Suite struct PictureTrackTests {
    /// Three sets of which the second replaces the first, a clear, and one that the stream leaves open.
    static let sets = [shown(1, at: 1), shown(2, at: 3, number: 1), cleared(at: 5, number: 2), shown(1, at: 8, number: 3)]

    static func shown(_ colour: UInt8, at seconds: Int64, number: UInt16 = 0, state: UInt8 = PGSComposition.epochStart) -> PGSDisplaySet {
        var shown = PGSDisplaySet(
            presentation: MediaTime(ticks: seconds, timescale: 1),
            composition: PGSComposition(width: 1920, height: 1080, number: number, state: state, objects: [.init(objectID: 0, x: 900, y: 950)]))
        shown.palettes = [
            PGSPalette(entries: [
                .init(index: 1, colour: CodedColour(luma: 235, cr: 128, cb: 128, alpha: 255)), .init(index: 2, colour: CodedColour(luma: 63, cr: 240, cb: 102, alpha: 200)),
            ])
        ]
        let pixels = (0..<600).map { UInt8($0 % 30 < 20 ? colour : 0) }
        shown.fragments = PGSObjectFragment.fragments(id: 0, width: 30, height: 20, runLengths: PGSRunLengths.encode(pixels, width: 30), atMost: 40)
        return shown
    }

    static func cleared(at seconds: Int64, number: UInt16) -> PGSDisplaySet {
        PGSDisplaySet(
            presentation: MediaTime(ticks: seconds, timescale: 1), composition: PGSComposition(width: 1920, height: 1080, number: number, state: PGSComposition.normal, objects: []))
    }

    static func decode(_ sets: [PGSDisplaySet], on video: VideoFrame? = nil) -> [PictureCue] {
        let decoder = PictureTrackDecoder(graphicsOn: video)
        return sets.flatMap { decoder.decode(graphics: $0.bytes[...], presentation: $0.presentation) } + decoder.finish()
    }

    @Test func endsAreTheNextSetsAndTheLastIsStoodInFor() {
        let cues = Self.decode(Self.sets)
        #expect(milliseconds(cues) == [[1000, 3000], [3000, 5000], [8000, 11000]])
        #expect(cues.map(\.ending) == [.replaced, .replaced, .assumed])
        #expect(cues[1].objects[0].rgba.prefix(4) == [255, 1, 0, 200])
    }

    /// Muxed by ffmpeg from a `.sup`: a packet a segment in transport streams, a packet a set in Matroska.
    @Test(arguments: ["mkv", "m2ts"]) func containersHoldTheSameCues(container: String) async throws {
        let folder = try FFmpegFixture()
        try Data(SupFile(sets: Self.sets).bytes).write(to: folder.url("in.sup"))
        let url = try await folder.make("out.\(container)", "-copyts -i {folder}/in.sup -map 0 -c copy -muxdelay 0 -muxpreload 0\(container == "m2ts" ? " -mpegts_m2ts_mode 1" : "")")
        let (cues, decoder) = try pictureCues(in: url)
        let expected = Self.decode(Self.sets)
        let shift = try #require(cues.first).start - expected[0].start
        // Transport streams begin where the muxer pleases.
        #expect(container != "mkv" || shift.ticks == 0)
        #expect(milliseconds(cues) == milliseconds(expected).map { $0.map { $0 + shift.converted(to: 1000).ticks } })
        #expect(cues.map(\.objects) == expected.map(\.objects))
        #expect(decoder.statistics.damaged == 0 && !decoder.needsEarlier)
    }

    /// Our pictures beside those of libavcodec's decoder, which takes whole sets.
    @Test func picturesAreThoseOfLibavcodec() throws {
        var forced = Self.shown(2, at: 9)
        forced.composition?.objects = [.init(objectID: 0, x: 1, y: 2, isForced: true), .init(objectID: 0, windowID: 1, x: 3, y: 400)]
        let parameters = try #require(CodecParameters(subtitles: .pgs, configuration: []))
        let libav = try SubtitleDecoder(parameters)
        for shown in Self.sets + [forced] {
            let ours = Self.decode([shown]).first?.objects ?? []
            let packet = try #require(Packet(copying: shown.bytes))
            let decoded = try libav.decode(packet)
            let theirs = try #require(decoded).rectangles.compactMap { rectangle -> IndexedPicture? in
                guard case .picture(let picture) = rectangle else { return nil }
                return picture
            }
            try #require(ours.count == theirs.count)
            for (a, b) in zip(ours, theirs) {
                #expect(a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height)
                #expect(a.pixels == b.pixels && a.isForced == b.isForced)
                for index in 1...2 {
                    for shift: UInt32 in [0, 8, 16, 24] { #expect(abs(Int(a.palette[index] >> shift & 255) - Int(b.palette[index] >> shift & 255)) <= 2) }
                }
            }
        }
    }

    @Test func damageEndsWhatWasShown() {
        var damaged = Self.shown(2, at: 3)
        damaged.palettes = []
        let decoder = PictureTrackDecoder()
        var cues = decoder.decode(graphics: Self.shown(1, at: 1).bytes[...], presentation: MediaTime(ticks: 1, timescale: 1))
        // A palette short of bytes: nothing of the set can be shown.
        var bytes: [UInt8] = []
        for segment in Self.shown(2, at: 3).segments {
            let payload = segment.kind == .palette ? Array(segment.payload.dropLast(2)) : Array(segment.payload)
            bytes += [segment.type, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
        }
        cues += decoder.decode(graphics: bytes[...], presentation: MediaTime(ticks: 3, timescale: 1))
        #expect(milliseconds(cues) == [[1000, 3000]])
        #expect(decoder.statistics.damaged == 1 && !decoder.findings.isEmpty)
        cues += decoder.decode(graphics: Self.shown(1, at: 6).bytes[...], presentation: MediaTime(ticks: 6, timescale: 1)) + decoder.finish()
        #expect(milliseconds(cues) == [[1000, 3000], [6000, 9000]])
    }

    /// Bytes behind a set's end belong to nothing, and take nothing from the screen.
    @Test(arguments: [[0, 0, 0], [0x80, 0, 0], [0x16], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]]) func whatFollowsASetInItsPacketDoesNotClearIt(junk: [UInt8]) {
        let decoder = PictureTrackDecoder()
        var cues = decoder.decode(graphics: (Self.shown(1, at: 1).bytes + junk)[...], presentation: MediaTime(ticks: 1, timescale: 1))
        cues += decoder.decode(graphics: Self.cleared(at: 4, number: 1).bytes[...], presentation: MediaTime(ticks: 4, timescale: 1)) + decoder.finish()
        #expect(milliseconds(cues) == [[1000, 4000]])
        #expect(decoder.statistics.damaged == 1 && decoder.statistics.unseen == 0)
    }

    /// A cue that acquisition points repeat is found whole from wherever it is asked for.
    @Test func repeatedCuesOfAFileAreFoundWhole() throws {
        let repeats = (1..<30).map { Self.shown(1, at: 10 + Int64($0), number: UInt16($0), state: PGSComposition.acquisitionPoint) }
        let sets = [Self.shown(2, at: 1), Self.cleared(at: 3, number: 1), Self.shown(1, at: 10)] + repeats + [Self.cleared(at: 42, number: 40)]
        let file = try PictureFile(sup: SupFile(sets: sets).bytes)
        for second in Int64(11)..<41 {
            #expect(milliseconds(try file.cues(of: 0, from: MediaTime(ticks: second, timescale: 1), to: MediaTime(ticks: second + 1, timescale: 1))) == [[10000, 42000]])
        }
    }

    /// The law of beginning anew: from a self-contained set on everything is as from the head, and what builds on unread sets is not shown.
    @Test func cuesAreEqualFromWhereverDecodingBegan() throws {
        var moved = Self.cleared(at: 4, number: 2)
        moved.composition?.objects = [.init(objectID: 0, x: 10, y: 20)]
        let stream = [
            Self.shown(1, at: 1), moved, Self.cleared(at: 6, number: 3), Self.shown(2, at: 8, number: 4), Self.shown(2, at: 9, number: 5, state: PGSComposition.acquisitionPoint),
            Self.cleared(at: 11, number: 6), Self.shown(1, at: 13, number: 7),
        ]
        let whole = Self.decode(stream)
        #expect(milliseconds(whole) == [[1000, 4000], [4000, 6000], [8000, 11000], [13000, 16000]])
        for first in stream.indices {
            let decoder = PictureTrackDecoder(graphicsOn: nil, atHead: first == 0)
            let cues = stream[first...].flatMap { decoder.decode(graphics: $0.bytes[...], presentation: $0.presentation) } + decoder.finish()
            let began = try #require(stream[first].presentation)
            for cue in cues where cue.isStartCertain { #expect(whole.contains(cue)) }
            for cue in whole where cue.start >= began {
                // The one set that builds on another is missed, and that is said.
                #expect(cues.contains(cue) || (first == 1 && decoder.needsEarlier))
            }
            #expect(decoder.needsEarlier == (first == 1))
            // Reading begun at the repeat shows the cue from there, and does not vouch for its start.
            if first == 4 { #expect(cues.first?.isStartCertain == false && milliseconds(cues).first == [9000, 11000]) }
        }
    }

    @Test func aSeekTakesNoEndFromWhereItLands() {
        let decoder = PictureTrackDecoder()
        func feed(_ shown: PGSDisplaySet) -> [PictureCue] { decoder.decode(graphics: shown.bytes[...], presentation: shown.presentation) }
        var cues = feed(Self.shown(1, at: 10)) + decoder.interrupt() + feed(Self.shown(2, at: 70)) + decoder.interrupt()
        cues += feed(Self.shown(1, at: 20)) + feed(Self.cleared(at: 22, number: 1))
        #expect(milliseconds(cues) == [[10000, 20000], [70000, 80000], [20000, 22000]])
        #expect(cues.map(\.ending) == [.assumed, .assumed, .replaced])
    }

    @Test func aCueAtTheMiddleOfASpanIsFoundWithoutDecodingTheFile() throws {
        var sets: [PGSDisplaySet] = []
        for second in stride(from: Int64(0), to: 2000, by: 10) {
            sets.append(Self.shown(UInt8(1 + second / 10 % 2), at: second))
            sets.append(Self.cleared(at: second + 4, number: 1))
        }
        let file = try PictureFile(sup: SupFile(sets: sets).bytes)
        let all = try file.cues(of: 0)
        #expect(all.count == 200)
        var random = SeededRandom(seed: 5)
        for _ in 0..<40 {
            let start = MediaTime(ticks: Int64.random(in: 0...2_000_000, using: &random), timescale: 1000)
            let end = start + MediaTime(ticks: Int64.random(in: 1...60_000, using: &random), timescale: 1000)
            #expect(try file.cues(of: 0, from: start, to: end) == all.filter { $0.end > start && $0.start < end })
        }
        #expect(try file.cues(of: 0, atMost: 3) == Array(all.prefix(3)))
        #expect(try file.cues(of: 1).isEmpty)
    }

    /// A film's track in Matroska, read from wherever a seek lands: no cue is longer, shorter or other than from the head.
    @Test func seeksFindTheCuesOfTheFilm() async throws {
        let folder = try FFmpegFixture()
        var sets: [PGSDisplaySet] = []
        for second in stride(from: Int64(2), to: 400, by: 5) {
            sets.append(Self.shown(UInt8(1 + second % 2), at: second))
            // Every third is replaced, not cleared; some stand long.
            if second % 3 != 0 { sets.append(Self.cleared(at: second + (second % 4), number: 1)) }
        }
        try Data(SupFile(sets: sets).bytes).write(to: folder.url("in.sup"))
        let url = try await folder.make("film.mkv", "-copyts -i {folder}/in.sup -f lavfi -i color=s=64x48:r=5:d=400 -map 1:v -map 0 -c:v mpeg4 -g 10 -c:s copy")
        let (whole, _) = try pictureCues(in: url)
        #expect(whole.count > 60)
        let demuxer = try Demuxer(url: url.path)
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.codec == .pgs })
        let parameters = try #require(CodecParameters(demuxer: demuxer, streamIndex: stream.index))
        let decoder = try PictureTrackDecoder(parameters, codec: .pgs, video: VideoFrame(width: 64, height: 48))
        var random = SeededRandom(seed: 11)
        for place in [10, 70, 20] + (0..<20).map({ _ in Int64.random(in: 0..<380, using: &random) }) {
            var cues = decoder.interrupt()
            // What the last reading left open has an end nobody knows better.
            for cue in cues { #expect(cue.ending == .assumed && whole.contains { $0.start == cue.start && $0.objects == cue.objects }) }
            try demuxer.seek(streamIndex: 0, timestamp: max(0, place - 10) * 1000, backward: true)
            cues = []
            while let packet = try demuxer.readPacket(), packet.pts ?? 0 < (place + 20) * 1000 {
                guard packet.streamIndex == stream.index else { continue }
                cues += decoder.decode(packet, presentation: packet.pts.map { MediaTime(ticks: $0, timescale: 1000) })
            }
            #expect(cues.allSatisfy { whole.contains($0) })
            // All that is on the screen at the place and ends before reading did.
            let expected = whole.map { $0.bounded() }.filter { $0.end > MediaTime(ticks: place, timescale: 1) && $0.end < MediaTime(ticks: place + 12, timescale: 1) }
            for cue in expected { #expect(cues.contains { $0.bounded() == cue }) }
        }
    }

    @Test func colourOfAFilmInPQIsBroughtToSDR() throws {
        // About 294 cd/m² in PQ, the discs' white; black; and a red of BT.2020 that BT.709 does not have.
        #expect(abs(PQPalette.nits(1) - 10000) < 1 && PQPalette.nits(0) == 0)
        #expect(abs(PQPalette.nits(0.5081) - 100) < 1)
        let white = (0...255).map { UInt8($0) }.first { PQPalette.nits((Double($0) - 16) / 219) >= 294 } ?? 0
        #expect(PQPalette.argb(CodedColour(luma: white, cr: 128, cb: 128, alpha: 255)) == 0xFFFF_FFFF)
        #expect(PQPalette.argb(CodedColour(luma: 16, cr: 128, cb: 128, alpha: 9)) == 0x0900_0000)
        let video = try #require(VideoFrame(width: 3840, height: 2160, isPQ: true))
        let plain = Self.decode([Self.shown(2, at: 1)])[0].objects[0].palette[2]
        let converted = Self.decode([Self.shown(2, at: 1)], on: video)[0].objects[0].palette[2]
        #expect(plain != converted && converted >> 24 == 200)
    }

    @Test func canvasesLieOnTheFrameAsTheirFormatsSay() throws {
        // A film of 2.4:1 with its bars cut off: the disc's canvas reaches beyond it.
        let scope = try #require(VideoFrame(width: 1920, height: 800))
        let disc = PictureCanvas(.pgs, coded: (1920, 1080), video: scope)
        #expect(disc.coveredWidth == 1920 && disc.coveredHeight == 1080)
        let middle = disc.place(x: 960, y: 540, on: scope)
        #expect(middle.x == 0.5 && middle.y == 0.5)
        #expect(disc.place(x: 0, y: 1080, on: scope).y > 1)
        #expect(PictureCanvas(.pgs, coded: (1920, 1080), video: VideoFrame(width: 3840, height: 2160)).coveredHeight == 2160)
        // DVB covers the picture, whatever the shape of its pixels.
        let hd = try #require(VideoFrame(width: 1920, height: 1080))
        let dvb = PictureCanvas(.dvbSubtitle, coded: (0, 0), video: hd)
        #expect(dvb.width == 720 && dvb.height == 576)
        #expect(dvb.coveredWidth == 1920 && dvb.coveredHeight == 1080)
        // DVD: the frame, or the 16:9 that a wider film was cut out of.
        #expect(PictureCanvas(.dvdSubtitle, coded: (720, 480), video: hd).coveredHeight == 1080)
        #expect(PictureCanvas(.dvdSubtitle, coded: (720, 480), video: scope).coveredHeight == 1080)
        let anamorphic = try #require(VideoFrame(width: 720, height: 576, sampleAspect: Ratio(numerator: 64, denominator: 45)))
        #expect(PictureCanvas(.dvdSubtitle, coded: (720, 576), video: anamorphic).coveredHeight == 576)
        let cut = try #require(VideoFrame(width: 720, height: 432, sampleAspect: Ratio(numerator: 64, denominator: 45)))
        #expect(abs(PictureCanvas(.dvdSubtitle, coded: (720, 576), video: cut).coveredHeight - 576) < 0.5)
        #expect(PictureCanvas(.pgs, coded: (720, 576), video: nil).coveredHeight == 576)
    }
}
