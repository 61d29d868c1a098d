import BitsAndTime
import Libav
import SubtitlePictures
import Subtitles
import TestSupport
import Testing

/// Subpicture units of DVD-Video, of our own: 8 × 2 pixels of colour 1.
enum Subpictures {
    /// - Parameters:
    ///   - stop: In units of 1024/90000 s; `nil` leaves the command out.
    ///   - isForced: The forced start command, as menus use it.
    static func unit(stop: UInt16?, isForced: Bool = false) -> [UInt8] {
        // A line each: 8 pixels of colour 1 are the run 0010 00 01 in eight bits.
        let lines: [UInt8] = [0x21, 0x21]
        let commandsAt = 4 + lines.count
        var commands: [UInt8] = [0, 0]
        let first: [UInt8] = [isForced ? 0x00 : 0x01, 0x03, 0x32, 0x10, 0x04, 0xFF, 0xF0, 0x05, 0x06, 0x40, 0x6B, 0x0C, 0x80, 0xC9, 0x06, 0, 4, 0, 5, 0xFF]
        let secondAt = commandsAt + 4 + first.count
        let next = stop == nil ? commandsAt : secondAt
        commands += [UInt8(next >> 8), UInt8(next & 255)] + first
        if let stop { commands += [UInt8(stop >> 8), UInt8(stop & 255), UInt8(secondAt >> 8), UInt8(secondAt & 255), 0x02, 0xFF] }
        let size = commandsAt + commands.count
        return [UInt8(size >> 8), UInt8(size & 255), UInt8(commandsAt >> 8), UInt8(commandsAt & 255)] + lines + commands
    }

    static let configuration = Array("size: 720x576\npalette: 000000, ffffff, ff0000, 00ff00, 0000ff, 000000, 000000, 000000, 000000, 000000, 000000, 000000, 000000, 000000, 000000, 000000\n".utf8)
}

@Suite struct DiscPictureTests {
    private static func decode(_ units: [(time: Int64, bytes: [UInt8])]) throws -> [PictureCue] {
        let parameters = try #require(CodecParameters(subtitles: .dvdSubtitle, configuration: Subpictures.configuration))
        let decoder = try PictureTrackDecoder(parameters, codec: .dvdSubtitle, video: VideoFrame(width: 720, height: 576))
        var cues: [PictureCue] = []
        for unit in units {
            let packet = try #require(Packet(copying: unit.bytes))
            cues += decoder.decode(packet, presentation: MediaTime(ticks: unit.time, timescale: 1))
        }
        return cues + decoder.finish()
    }

    @Test func aSubpictureStandsUntilItsStopCommandOrTheNext() throws {
        // 176 · 1024 / 90 000 s are 2.0025 s, which libavcodec gives in whole milliseconds.
        let cues = try Self.decode([(10, Subpictures.unit(stop: 176)), (20, Subpictures.unit(stop: nil)), (26, Subpictures.unit(stop: 880)), (30, Subpictures.unit(stop: nil))])
        #expect(milliseconds(cues) == [[10000, 12002], [20000, 26000], [26000, 30000], [30000, 33000]])
        #expect(cues.map(\.ending) == [.authored, .replaced, .replaced, .assumed])
        let object = try #require(cues.first?.objects.first)
        #expect([object.x, object.y, object.width, object.height] == [100, 200, 8, 2])
        #expect(object.pixels.allSatisfy { object.palette[Int($0)] == 0xFFFF_FFFF })
    }

    @Test func menusAreForced() throws {
        let cues = try Self.decode([(10, Subpictures.unit(stop: 176, isForced: true)), (20, Subpictures.unit(stop: 176))])
        #expect(cues.map { $0.objects[0].isForced } == [true, false])
    }

    @Test func noUnitTraps() throws {
        for damaged in Damage.all(of: Subpictures.unit(stop: 176), mutations: 300) { _ = try Self.decode([(10, damaged), (12, Subpictures.unit(stop: nil))]) }
    }

    /// A pair in memory, as it comes over HTTP: units split over packs, two languages side by side.
    @Test func aPairIsReadWithoutADisk() throws {
        func pack(_ payload: [UInt8], track: UInt8) -> [UInt8] {
            let content: [UInt8] = [0x81, 0, 0, 0x20 + track] + payload
            return [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8, 0, 0, 1, 0xBD, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
        }
        let unit = Subpictures.unit(stop: 176)
        let first = pack(Array(unit[..<10]), track: 0) + pack(Subpictures.unit(stop: nil), track: 1) + pack(Array(unit[10...]), track: 0)
        let place = String(first.count, radix: 16)
        let text = """
            # VobSub index file, v7 (do not modify this line!)
            \(String(decoding: Subpictures.configuration, as: UTF8.self))
            id: en, index: 0
            timestamp: 00:00:10:000, filepos: 000000000
            timestamp: 00:00:20:000, filepos: \(place)
            id: de, index: 1
            timestamp: 00:00:10:500, filepos: 000000000
            """
        let file = try PictureFile(index: text, subpictures: first + pack(unit, track: 0))
        #expect(file.tracks.map(\.language) == ["en", "de"])
        #expect(milliseconds(try file.cues(of: 0)) == [[10000, 12002], [20000, 22002]])
        #expect(milliseconds(try file.cues(of: 1)) == [[10500, 13500]])
        #expect(milliseconds(try file.cues(of: 0, from: MediaTime(ticks: 15, timescale: 1))) == [[20000, 22002]])
    }
}
