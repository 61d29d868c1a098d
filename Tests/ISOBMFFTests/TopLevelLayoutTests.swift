import BitsAndTime
import ISOBMFF
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct TopLevelLayoutTests {
    private static func layout(_ bytes: [UInt8], stopsAtMedia: Bool = false) throws -> TopLevelLayout {
        try TopLevelLayout(stopsAtMedia: stopsAtMedia) { offset, count in
            guard offset < Int64(bytes.count) else { return [] }
            return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
        }
    }

    @Test func filesOfFFmpeg() throws {
        let folder = try Fixture.folder()
        let source = "-f lavfi -i testsrc2=s=64x64:r=24:d=1 -c:v libx264 -preset ultrafast -g 12"
        let tail = try Fixture.bytes(try folder.makeBlocking("tail.mp4", source))
        let atTail = try Self.layout(tail)
        #expect(atTail.moovEnd == Int64(tail.count) && !atTail.hasFragments)
        let (tailMedia, tailMovie) = (try #require(atTail.firstMediaOffset), try #require(atTail.moovOffset))
        #expect(tailMedia < tailMovie)
        let head = try Fixture.bytes(try folder.makeBlocking("head.mp4", "\(source) -movflags faststart"))
        let atHead = try Self.layout(head, stopsAtMedia: true)
        let (headMedia, headMovie) = (try #require(atHead.firstMediaOffset), try #require(atHead.moovOffset))
        #expect(headMovie < headMedia)
        let fragmented = try Fixture.bytes(try folder.makeBlocking("frag.mp4", "\(source) -movflags frag_keyframe+empty_moov+default_base_moof+global_sidx"))
        let inFragments = try Self.layout(fragmented)
        #expect(inFragments.hasFragments && inFragments.sidxOffset != nil && inFragments.mfraOffset != nil)
        for bytes in Damage.mutations(of: Array(head.prefix(64)), count: 500) { _ = try? Self.layout(bytes) }
        for bytes in Damage.truncations(of: Array(head.prefix(64))) { _ = try? Self.layout(bytes) }
    }

    @Test func largeSizesAndLastBoxes() throws {
        let large = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 17, 7] + [0, 0, 0, 0] + Array("moov".utf8)
        let layout = try Self.layout(large)
        #expect(layout.firstMediaOffset == 0 && layout.moovOffset == 17 && layout.moovEnd == nil)
        // A 64-bit size that ends inside its own header would be walked into.
        for size in [UInt8(0), 8, 15] {
            let bytes = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, size]
            #expect(throws: ParseError.self) { try Self.layout(bytes) }
        }
    }
}
