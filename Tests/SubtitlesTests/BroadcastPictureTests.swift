import BitsAndTime
import Libav
import SubtitlePictures
import Subtitles
import TestSupport
import Testing

/// DVB pages of our own (ETSI EN 300 743): one region of 8 × 2 pixels.
enum DVBPages {
    static func segment(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] { [0x0F, type, 0, 1, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload }

    /// A page with all its parts, or an empty one.
    static func page(version: UInt8, state: DVBPage.State, timeOut: UInt8 = 10, colour: UInt8? = 1) -> [UInt8] {
        var bytes = segment(0x10, [timeOut, version << 4 | state.rawValue << 2 | 3] + (colour == nil ? [] : [0, 0xFF, 0, 100, 0, 200]))
        if let colour {
            // Region 0: filled with entry 0, four bits a pixel, one bitmap object at its corner.
            bytes += segment(0x11, [0, version << 4 | 8 | 7, 0, 8, 0, 2, 0x4B, 0, 0, 0x03, 0, 0, 0, 0, 0, 0])
            // CLUT 0: entry 1 white, entry 2 red; full range of eight bits.
            bytes += segment(0x12, [0, version << 4 | 0xF, 1, 0x5F, 235, 128, 128, 0, 2, 0x5F, 81, 240, 90, 0])
            // A line of eight pixels in 4-bit code (0x11): 0000 for a run, 1 0 01 for 4 to 7 pixels … spelt out pixel by pixel instead.
            let line: [UInt8] = [0x11] + [UInt8](repeating: colour << 4 | colour, count: 4) + [0x00, 0xF0]
            bytes += segment(0x13, [0, 0, version << 4 | 1, UInt8(line.count >> 8), UInt8(line.count & 255), 0, 0] + line)
        }
        return bytes + segment(0x80, [])
    }
}

@Suite struct BroadcastPictureTests {
    /// What a decoder makes of pages, in seconds.
    private static func decode(_ pages: [(time: Int64, bytes: [UInt8])], atHead: Bool = true) throws -> (cues: [[Int64]], decoder: PictureTrackDecoder, all: [PictureCue]) {
        let parameters = try #require(CodecParameters(subtitles: .dvbSubtitle, configuration: []))
        let decoder = try PictureTrackDecoder(parameters, codec: .dvbSubtitle, video: VideoFrame(width: 1920, height: 1080), atHead: atHead)
        var cues: [PictureCue] = []
        for page in pages {
            let packet = try #require(Packet(copying: page.bytes))
            cues += decoder.decode(packet, presentation: MediaTime(ticks: page.time, timescale: 1))
        }
        cues += decoder.finish()
        return (cues.map { [$0.start.converted(to: 1).ticks, $0.end.converted(to: 1).ticks] }, decoder, cues)
    }

    @Test func aPageStandsUntilTheNextOrItsTimeOut() throws {
        let (cues, decoder, all) = try Self.decode([
            (10, DVBPages.page(version: 0, state: .modeChange)), (14, DVBPages.page(version: 1, state: .normal, colour: nil)),
            (20, DVBPages.page(version: 2, state: .modeChange, timeOut: 5)), (90, DVBPages.page(version: 3, state: .modeChange, timeOut: 7)),
        ])
        #expect(cues == [[10, 14], [20, 25], [90, 97]])
        #expect(all.map(\.ending) == [.replaced, .authored, .authored])
        #expect(decoder.statistics.damaged == 0)
        let object = try #require(all.first?.objects.first)
        #expect([object.x, object.y, object.width, object.height] == [100, 200, 8, 2])
        #expect(all[0].canvas.width == 720 && all[0].canvas.coveredWidth == 1920)
    }

    /// Carousels say a page again so that receivers may join: it is one cue.
    @Test func pagesThatAreSaidAgainGoOn() throws {
        let pages: [(time: Int64, bytes: [UInt8])] = [
            (10, DVBPages.page(version: 0, state: .modeChange, timeOut: 5)), (13, DVBPages.page(version: 1, state: .acquisitionPoint, timeOut: 5)),
            (16, DVBPages.page(version: 2, state: .acquisitionPoint, timeOut: 5)), (19, DVBPages.page(version: 3, state: .acquisitionPoint, timeOut: 5, colour: 2)),
            (21, DVBPages.page(version: 4, state: .normal, timeOut: 5, colour: nil)),
        ]
        let whole = try Self.decode(pages)
        #expect(whole.cues == [[10, 19], [19, 21]])
        // Joined in the middle it begins there, and does not vouch for that.
        let joined = try Self.decode(Array(pages[1...]), atHead: false)
        #expect(joined.cues == [[13, 19], [19, 21]])
        #expect(joined.all.map(\.isStartCertain) == [false, true])
        #expect(joined.all.map(\.objects) == whole.all.map(\.objects))
    }

    @Test func pagesThatBuildOnUnreadOnesAreHeldBack() throws {
        let pages: [(time: Int64, bytes: [UInt8])] = [(10, DVBPages.page(version: 0, state: .normal)), (14, DVBPages.page(version: 1, state: .modeChange)), (16, DVBPages.page(version: 2, state: .normal, colour: nil))]
        #expect(try Self.decode(pages).cues == [[10, 14], [14, 16]])
        let late = try Self.decode(pages, atHead: false)
        #expect(late.cues == [[14, 16]] && late.decoder.needsEarlier && late.decoder.statistics.heldBack == 1)
    }

    /// What a page changed that was held back may be what the next one repeats.
    @Test func aRepeatBehindAnUnreadChangeDoesNotVouchForItsStart() throws {
        let pages: [(time: Int64, bytes: [UInt8])] = [
            (10, DVBPages.page(version: 0, state: .modeChange)), (12, DVBPages.page(version: 1, state: .normal, colour: 2)),
            (13, DVBPages.page(version: 2, state: .acquisitionPoint, colour: 2)), (15, DVBPages.page(version: 3, state: .normal, colour: nil)),
        ]
        #expect(try Self.decode(pages).cues == [[10, 12], [12, 15]])
        let joined = try Self.decode(Array(pages[1...]), atHead: false)
        #expect(joined.cues == [[13, 15]] && joined.all.map(\.isStartCertain) == [false])
        // Behind a clear everything is known.
        let clear = (time: Int64(11), bytes: DVBPages.page(version: 9, state: .normal, colour: nil))
        let behind = try Self.decode([clear] + pages[2...], atHead: false)
        #expect(behind.all.map(\.isStartCertain) == [true] && !behind.decoder.needsEarlier)
    }

    @Test func aDamagedPageEndsWhatWasShown() throws {
        var damaged = DVBPages.page(version: 1, state: .modeChange)
        damaged[5] = 0xFF
        damaged[4] = 0xFF
        let (cues, decoder, _) = try Self.decode([(10, DVBPages.page(version: 0, state: .modeChange, timeOut: 60)), (15, damaged)])
        #expect(cues == [[10, 15]] && decoder.statistics.damaged == 1)
    }

    @Test func noPageTraps() throws {
        for damaged in Damage.all(of: DVBPages.page(version: 0, state: .modeChange), mutations: 300) {
            _ = try Self.decode([(10, damaged), (12, DVBPages.page(version: 1, state: .modeChange))])
            _ = DVBPage(packet: damaged[...])
        }
    }
}
