import BitsAndTime
import Foundation
import ISOBMFF
@testable import Remux
import Testing

@Suite struct SegmentStoreTests {
    private func fragment(_ index: Int, bytes: Int = 1000) -> MediaFragment {
        MediaFragment(
            rendition: .video, index: index, content: FragmentContent([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes)),
            start: MediaTime(ticks: Int64(index) * 6, timescale: 1), duration: MediaTime(ticks: 6, timescale: 1), sampleCount: 1)
    }

    @Test func whatWasServedGoesBeforeWhatWasProducedAhead() {
        let store = SegmentStore(budget: 4000, policy: .reproducible(.local))
        for index in 0..<4 { store.insert(fragment(index)) }
        _ = store.content(.init(.video, 0))
        store.insert(fragment(4))
        #expect((0..<5).map { store.contains(.init(.video, $0)) } == [false, true, true, true, true])
    }

    @Test func aTrackNobodyHearsGoesOnceTheViewerIsPastIt() {
        let store = SegmentStore(budget: 4000, policy: .reproducible(.local))
        let unheard = MediaFragment(
            rendition: .audio(1), index: 0, content: FragmentContent([UInt8](repeating: 0, count: 1000)), start: .zero, duration: MediaTime(ticks: 6, timescale: 1),
            sampleCount: 1)
        store.insert(unheard)
        for index in 1..<4 { store.insert(fragment(index)) }
        _ = store.content(.init(.video, 3))
        store.insert(fragment(4))
        #expect(!store.contains(.init(.audio(1), 0)))
        #expect((1..<5).allSatisfy { store.contains(.init(.video, $0)) })
    }

    @Test func theLeastRecentlyUsedGoesFirst() {
        let store = SegmentStore(budget: 3000, policy: .reproducible(.local))
        for index in 0..<3 { store.insert(fragment(index)) }
        for index in [1, 2, 0] { _ = store.content(.init(.video, index)) }
        store.insert(fragment(3))
        #expect([0, 1, 2, 3].map { store.contains(.init(.video, $0)) } == [true, false, true, true])
        #expect(store.evictions == 1)
    }

    /// Else a client that comes for the sound after the picture would find it gone, and have both read again.
    @Test func whatTheViewerNeedsNextStaysHoweverSmallTheBudget() {
        let store = SegmentStore(budget: 10, policy: .reproducible(.local))
        for index in 0..<3 { store.insert(fragment(index)) }
        #expect([0, 1, 2].map { store.contains(.init(.video, $0)) } == [true, true, true])
        _ = store.content(.init(.video, 2))
        store.insert(fragment(3))
        #expect([0, 1, 2, 3].map { store.contains(.init(.video, $0)) } == [false, false, false, true])
    }

    /// A track that lags behind in the file ends a segment after the picture has ended its next.
    @Test func aLateTrackDoesNotPushOutThePictureThatComesNext() {
        let store = SegmentStore(budget: 1 << 20, policy: .reproducible(MemoryBounds(kept: 100, ahead: 100, reachesNextSegment: false)))
        store.insert(fragment(0))
        store.insert(fragment(1))
        store.insert(MediaFragment(
            rendition: .audio(1), index: 0, content: FragmentContent([1, 2, 3]), start: .zero, duration: MediaTime(ticks: 6, timescale: 1), sampleCount: 1))
        #expect(store.contains(.init(.video, 0)) && store.contains(.init(.video, 1)) && store.contains(.init(.audio(1), 0)))
    }

    /// One client waits for the film's beginning, another asked for its end since: both are answered, whatever else comes in one go with theirs.
    @Test func whatSomebodyWaitsForStaysUntilTheyHaveIt() {
        let store = SegmentStore(budget: 100, policy: .reproducible(.local))
        let key = SegmentStore.Key(.video, 0)
        store.expect(key)
        store.expect(.init(.video, 40))
        for index in 0..<4 { store.insert(fragment(index)) }
        store.trim()
        #expect(store.contains(key))
        _ = store.content(key)
        store.release(key)
        _ = store.content(.init(.video, 39))
        store.insert(fragment(40))
        #expect(!store.contains(key) && store.contains(.init(.video, 40)))
    }

    @Test func whatWasServedAndIsMoreThanMayBeKeptGoesBeforeMoreIsProduced() {
        let store = SegmentStore(budget: 1 << 20, policy: .reproducible(MemoryBounds(kept: 1500, ahead: 1500, reachesNextSegment: false)))
        store.insert(fragment(0))
        store.insert(fragment(1))
        _ = store.content(.init(.video, 0))
        store.trim()
        #expect(!store.contains(.init(.video, 0)) && store.contains(.init(.video, 1)))
    }

    @Test func whatCannotBeProducedAgainGoesToDiskAndReadsBackEqual() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = SegmentStore.spillingMemoryCeiling / 4
        let store = SegmentStore(budget: size * 8, policy: .spilling(directory: folder.path))
        for index in 0..<8 { store.insert(fragment(index, bytes: size)) }
        #expect(store.evictions == 0)
        for index in 0..<8 { #expect(store.content(.init(.video, index))?.joined() == fragment(index, bytes: size).content.joined()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "the file has no name")
        // Past the budget the oldest are gone for good; what is being read meanwhile stays whole.
        let held = try #require(store.content(.init(.video, 0)))
        for index in 8..<30 { store.insert(fragment(index, bytes: size)) }
        #expect(store.evictions > 0)
        #expect(held.joined() == fragment(0, bytes: size).content.joined())
    }

    @Test func residentRangesMergeNeighbours() {
        let store = SegmentStore(budget: 1 << 20, policy: .reproducible(.local))
        for index in [0, 1, 5, 6, 7] { store.insert(fragment(index)) }
        #expect(store.residentVideoRanges().map { [$0.start.seconds, $0.end.seconds] } == [[0, 12], [30, 48]])
    }
}
