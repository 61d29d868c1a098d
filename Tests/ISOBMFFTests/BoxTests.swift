import BitsAndTime
import ISOBMFF
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct BoxTests {
    @Test func boxesSideBySide() throws {
        // free of 8, a 64-bit mdat of 18, and a moov that lasts to the end.
        let pieces: [[UInt8]] = [
            [0, 0, 0, 8], Array("free".utf8), [0, 0, 0, 1], Array("mdat".utf8), [0, 0, 0, 0, 0, 0, 0, 18, 7, 9], [0, 0, 0, 0], Array("moov".utf8), [1, 2, 3],
        ]
        let bytes = Array(pieces.joined())
        let boxes = try Box.sequence(in: bytes[...])
        #expect(boxes.map(\.type) == ["free", "mdat", "moov"])
        #expect(boxes.map(\.offset) == [0, 8, 26] && boxes.map(\.headerByteCount) == [8, 16, 8])
        #expect(boxes.map { Array($0.payload) } == [[], [7, 9], [1, 2, 3]])
    }

    @Test func sizesThatCannotBeAreRefused() {
        for size in [UInt8(2), 7, 9, 200] {
            let bytes = [0, 0, 0, size] + Array("free".utf8)
            #expect(throws: ParseError.self) { try Box.sequence(in: bytes[...]) }
        }
        let large = [0, 0, 0, 1] + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8)
        #expect(throws: ParseError.self) { try Box.sequence(in: large[...]) }
        let small = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 15]
        #expect(throws: ParseError.self) { try Box.sequence(in: small[...]) }
    }

    @Test func writtenBoxesRead() throws {
        var writer = ByteWriter()
        writer.write(0xAA as UInt8)
        writer.writeBox("moof") { moof in
            moof.writeFullBox("mfhd", version: 1, flags: 0x02_0001) { $0.write(5 as UInt32) }
            RawBox(type: "free", payload: [1]).serialize(into: &moof)
        }
        let moof = try #require(try Box.sequence(in: writer.bytes.dropFirst()).first)
        let children = try moof.children(context: "moof")
        #expect(children.map(\.type) == ["mfhd", "free"])
        var reader = try children.required("mfhd", in: "moof").reader()
        let header = try reader.readFullBoxHeader()
        let value = try reader.readUInt32()
        #expect(header.version == 1 && header.flags == 0x02_0001 && value == 5)
        #expect(throws: ParseError.self) { try children.required("traf", in: "moof") }
        #expect(throws: ParseError.self) { try moof.children(after: 100, context: "moof") }
    }

    @Test func codesPrintAsText() {
        #expect(FourCharacterCode("avc1").description == "avc1")
        #expect(FourCharacterCode(0xA96E_616D).description == "©nam")
        #expect(FourCharacterCode(0x0000_0001).description == "0x1")
        let text = "é12"
        #expect(FourCharacterCode(text) == FourCharacterCode(0xC3A9_3132))
        #expect(FourCharacterCode(String(text.dropFirst())) == nil)
    }

    @Test func descriptorLengthsInAnySpelling() throws {
        let config: [UInt8] = [0x12, 0x10]
        let short = ElementaryStreamDescriptor(maximumBitRate: 130_000, averageBitRate: 128_000, decoderSpecificInfo: config)
        #expect(try ElementaryStreamDescriptor(parsing: short.serialized()) == short)
        // As ffmpeg and QuickTime write it: every length in four bytes.
        let long: [UInt8] = [
            0, 0, 0, 0, 3, 0x80, 0x80, 0x80, 0x22, 0, 1, 0, 4, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0, 0, 0, 0, 1, 0xFB, 0xD0, 0, 1, 0xF4, 0x00, 5, 0x80,
            0x80, 0x80, 2, 0x12, 0x10, 6, 0x80, 0x80, 0x80, 1, 2,
        ]
        #expect(try ElementaryStreamDescriptor(parsing: long) == short)
        // dependsOn_ES, URL and OCR_ES stand before the config.
        var flagged = long
        flagged[8] += 7
        flagged[11] = 0xE0
        flagged.insert(contentsOf: [0, 9, 2, 0x61, 0x62, 0, 8], at: 12)
        #expect(try ElementaryStreamDescriptor(parsing: flagged) == short)
        let big = ElementaryStreamDescriptor(decoderSpecificInfo: [UInt8](repeating: 7, count: 20_000))
        #expect(try ElementaryStreamDescriptor(parsing: big.serialized()) == big)
        for bytes in Damage.all(of: long, mutations: 2000) { _ = try? ElementaryStreamDescriptor(parsing: bytes) }
    }
}
