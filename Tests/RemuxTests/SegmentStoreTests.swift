import BitsAndTime
import Foundation
import ISOBMFF
@testable import Remux
import Testing

@Suite struct SegmentStoreTests {
    private func fragment(_ index: Int, bytes: Int = 1000) -> MediaFragment {
        MediaFragment(
            rendition: .video, index: index, bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes),
            start: MediaTime(ticks: Int64(index) * 6, timescale: 1), duration: MediaTime(ticks: 6, timescale: 1), sampleCount: 1)
    }

    private func bytes(_ body: SegmentStore.Body?) -> [UInt8]? {
        switch body {
        case .memory(let bytes): bytes
        case .disk(let range): [UInt8](unsafeUninitializedCapacity: range.byteCount) { $1 = max(0, pread(range.descriptor, $0.baseAddress, range.byteCount, off_t(range.offset))) }
        case nil: nil
        }
    }

    @Test func theLeastRecentlyUsedGoesFirst() {
        let store = SegmentStore(budget: 3000, policy: .reproducible)
        for index in 0..<3 { store.insert(fragment(index)) }
        _ = store.body(.init(.video, 0))
        store.insert(fragment(3))
        #expect([0, 1, 2, 3].map { store.contains(.init(.video, $0)) } == [true, false, true, true])
        #expect(store.evictions == 1)
    }

    @Test func theNewestStaysHoweverSmallTheBudget() {
        let store = SegmentStore(budget: 10, policy: .reproducible)
        store.insert(fragment(0))
        store.insert(fragment(1))
        #expect(store.contains(.init(.video, 1)) && !store.contains(.init(.video, 0)))
    }

    @Test func whatCannotBeProducedAgainGoesToDiskAndReadsBackEqual() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = SegmentStore.spillingMemoryCeiling / 4
        let store = SegmentStore(budget: size * 8, policy: .spilling(directory: folder.path))
        for index in 0..<8 { store.insert(fragment(index, bytes: size)) }
        #expect(store.evictions == 0)
        for index in 0..<8 { #expect(bytes(store.body(.init(.video, index))) == fragment(index, bytes: size).bytes) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "the file has no name")
        // Past the budget the oldest are gone for good; what is being read meanwhile stays whole.
        let held = try #require(store.body(.init(.video, 0)))
        for index in 8..<30 { store.insert(fragment(index, bytes: size)) }
        #expect(store.evictions > 0)
        #expect(bytes(held) == fragment(0, bytes: size).bytes)
    }

    @Test func residentRangesMergeNeighbours() {
        let store = SegmentStore(budget: 1 << 20, policy: .reproducible)
        for index in [0, 1, 5, 6, 7] { store.insert(fragment(index)) }
        #expect(store.residentVideoRanges().map { [$0.start.seconds, $0.end.seconds] } == [[0, 12], [30, 48]])
    }
}
