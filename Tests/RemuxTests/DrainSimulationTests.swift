import BitsAndTime
@testable import Remux
import Testing

/// Schedule and store together, played against a client that fetches one segment after the other: nothing is produced twice.
@Suite struct DrainSimulationTests {
    private static let count = 40
    private let plan: SegmentPlan

    init() throws {
        plan = try SegmentPlan(
            index: KeyframeIndex(axis: .presentation, times: (0..<Int64(Self.count)).map { $0 * 6 }, timescale: 1), presentationShift: 0,
            sourceEnd: MediaTime(ticks: Int64(Self.count) * 6, timescale: 1))
    }

    private struct Outcome {
        var anchors = 0
        var peak = 0
    }

    /// - Parameters:
    ///   - lags: How many fragments of the picture are finished before the track's fragment of the same number is.
    ///   - fetched: What the client fetches of each segment, in order.
    private func drain(bounds: MemoryBounds, pictureBytes: Int, lags: [RenditionID: Int], fetched: [RenditionID]) throws -> Outcome {
        let store = SegmentStore(budget: 1 << 30, policy: .reproducible(bounds))
        var schedule = ProductionSchedule(memory: bounds)
        var outcome = Outcome()
        var order: [SegmentStore.Key] = []
        let segments = plan.segments.count
        for position in 0..<segments * 2 {
            for (id, lag) in [(RenditionID.video, 0)] + lags.sorted(by: { $0.value < $1.value }).map({ ($0.key, $0.value) }) where (0..<segments).contains(position - lag) {
                order.append(.init(id, position - lag))
            }
        }
        var place = 0
        func produce() throws {
            var key = order[place]
            // An anchored run has nothing of what lies before its segment.
            while let anchor = schedule.anchor, key.index < anchor { place += 1; key = order[place] }
            let bytes = key.rendition == .video ? pictureBytes : 10
            store.insert(MediaFragment(
                rendition: key.rendition, index: key.index, content: FragmentContent([UInt8](repeating: 0, count: bytes)),
                start: plan.segments[key.index].start, duration: MediaTime(ticks: 6, timescale: 1), sampleCount: 1))
            schedule.next[key.rendition] = key.index + 1
            if key.rendition == .video { schedule.segmentByteCount = bytes }
            place += 1
            schedule.isAtEnd = place == order.count
            outcome.peak = max(outcome.peak, store.byteCount(after: -1))
        }
        /// Works until nothing is left to do.
        func settle() throws {
            for _ in 0..<100_000 {
                switch schedule.step(plan: plan, isResident: store.contains, bytesAhead: store.byteCount(after: schedule.playhead), end: { _ in nil }) {
                case .park: return
                case .read:
                    store.trim()
                    try produce()
                case .anchor(let index):
                    store.trim()
                    outcome.anchors += 1
                    schedule.anchor = index
                    schedule.isAtEnd = false
                    for id in [RenditionID.video] + lags.keys { schedule.next[id] = index }
                    place = try #require(order.firstIndex { $0.index == index })
                }
            }
            Issue.record("production never settles")
        }
        for index in 0..<segments {
            for id in fetched {
                let key = SegmentStore.Key(id, index)
                store.expect(key)
                schedule.playhead = index
                schedule.demands = [key]
                if !store.contains(key) { try settle() }
                #expect(store.content(key) != nil)
                store.release(key)
                schedule.demands = []
                try settle()
            }
        }
        return outcome
    }

    private static let bounds: [MemoryBounds] = [MemoryBounds.local, .remote].map {
        MemoryBounds(kept: $0.kept >> 13, ahead: $0.ahead >> 13, reachesNextSegment: $0.reachesNextSegment)
    }

    @Test(arguments: bounds)
    func nothingIsProducedTwice(_ bounds: MemoryBounds) throws {
        // 1 kB stands for 8 MiB.
        for pictureBytes in [10, 300, 900, 1500, 4000, 5500, 9000] {
            for lag in 0...1 {
                for fetched: [RenditionID] in [[.video], [.video, .audio(0)], [.audio(1), .video]] {
                    let outcome = try drain(bounds: bounds, pictureBytes: pictureBytes, lags: [.audio(0): 0, .audio(1): lag], fetched: fetched)
                    #expect(outcome.anchors == 1, "\(pictureBytes) bytes, \(lag) late, \(fetched)")
                    #expect(outcome.peak <= bounds.kept + bounds.ahead + 2 * pictureBytes + 1000, "\(pictureBytes) bytes, \(lag) late, \(fetched): \(outcome.peak)")
                }
            }
        }
    }
}
