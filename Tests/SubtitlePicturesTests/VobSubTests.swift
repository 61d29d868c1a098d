import BitsAndTime
import SubtitlePictures
import TestSupport
import Testing

@Suite struct VobSubTests {
    static let text = """
        # VobSub index file, v7 (do not modify this line!)
        size: 720x576
        alpha: 80%
        # A comment: of no meaning
        time offset: 0
        palette: 000000, ffffff, 0000ff, 00ff00, ff0000, 111111, 222222, 333333, 444444, 555555, 666666, 777777, 888888, 999999, aaaaaa, bbbbbb
        custom colors: ON, tridx: 1000, colors: 000000, 444444, 888888, cccccc
        langidx: 1

        id: en, index: 0
        # alt: Director's comments
        timestamp: 00:00:01:500, filepos: 000000000
        delay: 00:00:01:000
        timestamp: 01:00:02:250, filepos: 00000a800
        timestamp: nonsense
        id: de, index: 2
        timestamp: 00:00:01:500, filepos: 000000800
        """

    @Test(arguments: ["\n", "\r\n"]) func anIndexIsRead(newline: String) throws {
        let index = try VobSubIndex(Self.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: newline))
        #expect((index.width, index.height, index.alpha, index.preferredIndex) == (720, 576, 80, 1))
        #expect(index.palette.count == 16 && index.palette[2] == 0x0000FF)
        #expect(index.customColours == [0, 0x444444, 0x888888, 0xCCCCCC] && index.customTransparency == [true, false, false, false])
        #expect(index.tracks.map(\.language) == ["en", "de"] && index.tracks.map(\.index) == [0, 2])
        #expect(index.tracks[0].name == "Director's comments" && index.tracks[1].name == nil)
        #expect(index.tracks[0].entries == [.init(time: 1500, position: 0), .init(time: 3_603_250, position: 0xA800)])
        #expect(index.unreadableLineCount == 1)
        #expect(String(decoding: index.configuration, as: UTF8.self).hasPrefix("size: 720x576\npalette: 000000, ffffff, 0000ff,"))
    }

    @Test func whatIsNoIndexIsRefused() {
        #expect(throws: ParseError.self) { try VobSubIndex("1\n00:00:01,000 --> 00:00:02,000\nHello") }
        #expect(throws: ParseError.self) { try VobSubIndex("# VobSub index file, v7\nsize: 720x576\n") }
    }

    @Test func noTextTraps() {
        for damaged in Damage.all(of: Array(Self.text.utf8), mutations: 500) { _ = try? VobSubIndex(String(decoding: damaged, as: UTF8.self)) }
    }

    /// A pack header and a private_stream_1 packet of substream 0x20 + `track`.
    static func pack(_ payload: [UInt8], track: UInt8 = 0, time: UInt64? = nil) -> [UInt8] {
        var header: [UInt8] = []
        if let time {
            header = [0x21 | UInt8(time >> 29 & 0xE), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1, UInt8(time >> 7 & 0xFF), UInt8(time << 1 & 0xFE) | 1]
        }
        let content = [0x81, time == nil ? 0 : 0x80, UInt8(header.count)] + header + [0x20 + track] + payload
        return [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8, 0, 0, 1, 0xBD, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }

    @Test func aUnitIsGatheredFromItsPacksOnly() throws {
        let unit: [UInt8] = [0, 10] + Array(2..<10)
        let file = Self.pack(Array(unit[..<4]), time: 0x1_2345_6789) + Self.pack([0, 4, 9, 9], track: 1, time: 5) + Self.pack(Array(unit[4...]) + [0xEE]) + [0, 0, 1, 0xB9]
        let read = try SubpictureFile.unit(in: file, at: 0, substream: 0)
        #expect(read.bytes == unit && read.presentation == 0x1_2345_6789)
        let other = try SubpictureFile.unit(in: file, at: Int64(Self.pack(Array(unit[..<4]), time: 1).count), substream: 1)
        #expect(other.bytes == [0, 4, 9, 9] && other.presentation == 5)
        #expect(throws: ParseError.self) { try SubpictureFile.unit(in: file, at: 1 << 40, substream: 0) }
        #expect(throws: ParseError.self) { try SubpictureFile.unit(in: file, at: 1, substream: 0) }
        for damaged in Damage.all(of: file) { _ = try? SubpictureFile.unit(in: damaged, at: 0, substream: 0) }
    }

    @Test func aUnitCutShortEndsWhereTheNextBegins() throws {
        let file = Self.pack([0, 9, 1, 2], time: 1) + Self.pack([0, 3, 7], time: 2)
        #expect(try SubpictureFile.unit(in: file, at: 0, substream: 0).bytes == [0, 9, 1, 2])
    }
}
