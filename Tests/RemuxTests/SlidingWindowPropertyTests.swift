import BitsAndTime
import Foundation
import ISOBMFF
@testable import Remux
import TestSupport
import Testing

/// What holds whatever happens: random lengths, pauses, fetches, losses and clocks, the same in every run.
@Suite struct SlidingWindowPropertyTests {
    /// A session made up of random events, and a record of what was promised.
    private struct Simulation {
        static let renditions: [RenditionID] = [.video, .audio(0), .audio(1)]

        var random: SeededRandom
        var window: SlidingWindow
        var now = Duration.zero
        var next = 0
        var reached = MediaTime.zero
        /// Entries by media sequence number.
        var told: [RenditionID: [RenditionListing.Entry]] = [:]
        /// Files that must not be deleted before then.
        var protected: [SegmentStore.Key: Duration] = [:]
        var deleted: Set<SegmentStore.Key> = []
        var longest = MediaTime.zero
        var pausedUntil: [RenditionID: Int] = [:]
        var fetched: [RenditionID: (segment: Int, at: Duration)] = [:]

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            let span = MediaTime(ticks: Int64.random(in: 0...200, using: &random), timescale: 1)
            window = SlidingWindow(renditions: Self.renditions, shape: .window(span: span, budget: Bool.random(using: &random) ? .max : Int.random(in: 1...100_000, using: &random)))
            // One track may begin late.
            pausedUntil[.audio(1)] = Int.random(in: 0...60, using: &random)
        }

        mutating func step() {
            let duration = MediaTime(ticks: Int64.random(in: 24...(Int.random(in: 0...20, using: &random) == 0 ? 24 * 40 : 24 * 12), using: &random), timescale: 24)
            for id in Self.renditions.shuffled(using: &random) {
                if id != .video {
                    if Int.random(in: 0...30, using: &random) == 0 { pausedUntil[id] = next + Int.random(in: 0...40, using: &random) }
                    if next < pausedUntil[id, default: 0] { continue }
                }
                // Audio frames begin and end a little off the cut.
                let jitter = id == .video ? 0 : Int64.random(in: 0...1000, using: &random)
                let scale: Int32 = id == .video ? 24 : 48_000
                window.append(
                    id, segment: next, start: reached.converted(to: scale) + MediaTime(ticks: jitter, timescale: 48_000), duration: duration.converted(to: scale),
                    byteCount: Int.random(in: 1...5000, using: &random))
            }
            next += 1
            reached = reached + duration
            now += .milliseconds(Int.random(in: 0...20_000, using: &random))
            remember()
            if Int.random(in: 0...3, using: &random) != 0 { fetchSomething() }
            if Int.random(in: 0...40, using: &random) == 0 { window.lose([.init(.video, max(0, next - Int.random(in: 1...20, using: &random)))]) }
            cut()
        }

        mutating func fetchSomething() {
            let id = Self.renditions.randomElement(using: &random) ?? .video
            let entries = window.listing(of: id).entries
            guard let entry = Bool.random(using: &random) ? entries.last : entries.randomElement(using: &random) else { return }
            window.fetch(.init(id, entry.index), at: now)
            fetched[id] = (entry.segments.lowerBound, now)
        }

        /// The version of each playlist that clients may have read just now.
        mutating func remember() {
            for id in Self.renditions {
                let listing = window.listing(of: id)
                longest = max(longest, listing.duration)
                for (at, entry) in listing.entries.enumerated() {
                    let number = listing.removedCount + at
                    if number < told[id, default: []].count { #expect(told[id]?[number] == entry, "what is listed never changes") } else { told[id, default: []].append(entry) }
                    #expect(!deleted.contains(.init(id, entry.index)), "listed and deleted")
                }
                #expect(told[id, default: []].count == listing.removedCount + listing.entries.count, "the sequence number counts what left")
            }
        }

        mutating func cut() {
            let before = Dictionary(uniqueKeysWithValues: Self.renditions.map { ($0, window.listing(of: $0)) })
            let (front, retired) = (window.front, window.retiredCount)
            let gone = window.cut(at: now)
            for key in gone {
                #expect(deleted.insert(key).inserted, "deleted twice")
                #expect(protected[key].map { $0 <= now } ?? false, "deleted too early")
            }
            var left = 0
            let variantFloor = floor(window.listing(of: .video))
            for id in Self.renditions {
                let listing = window.listing(of: id)
                let removed = before[id]?.entries.prefix(listing.removedCount - (before[id]?.removedCount ?? 0)) ?? []
                left += removed.count
                for entry in removed {
                    let span = entry.duration + longest
                    protected[.init(id, entry.index)] = now + .seconds(span.ticks / Int64(span.timescale))
                }
                if !removed.isEmpty {
                    #expect(listing.duration >= listing.minimumDuration || listing.end <= variantFloor, "\(id) lists too little")
                    #expect(window.front <= played, "past what is being played")
                }
                #expect(listing.entries.first.map { $0.segments.lowerBound == window.front } ?? (listing.end <= window.front), "one front for all")
                for (a, b) in zip(listing.entries, listing.entries.dropFirst()) { #expect(a.segments.upperBound == b.segments.lowerBound && a.end == b.start) }
            }
            #expect(window.front >= front)
            #expect(window.retiredCount == retired + left - gone.count)
        }

        private var played: Int {
            let newest = fetched.values.map(\.at).max() ?? .zero
            return fetched.values.filter { newest - $0.at <= .seconds(36) }.map(\.segment).min() ?? 0
        }

        private func floor(_ listing: RenditionListing) -> Int {
            var sum = MediaTime.zero
            for entry in listing.entries.reversed() {
                sum = sum + entry.duration
                if sum >= listing.minimumDuration { return entry.segments.lowerBound }
            }
            return listing.entries.first?.segments.lowerBound ?? 0
        }
    }

    @Test(arguments: UInt64(1)...60) func theRulesHoldWhateverHappens(seed: UInt64) {
        var simulation = Simulation(seed: seed)
        for _ in 0..<250 { simulation.step() }
        simulation.remember()
        #expect(simulation.window.front > 0)
    }

    /// A client that reads a playlist once and plays all of it at its own pace, while another drives the window on at the live edge.
    @Test(arguments: [0, 60, 300] as [Int64]) func aClientThatLagsFindsAllThatItsPlaylistNames(seconds: Int64) {
        var random = SeededRandom(seed: UInt64(seconds) + 7)
        var window = SlidingWindow(renditions: [.video, .audio(0)], shape: .window(span: MediaTime(ticks: seconds, timescale: 1), budget: .max))
        var (start, now) = (MediaTime.zero, Duration.zero)
        /// When the laggard asks for which file.
        var due: [(at: Duration, key: SegmentStore.Key)] = []
        var deleted: Set<SegmentStore.Key> = []
        var asked = 0
        for segment in 0..<600 {
            let length = Int64.random(in: 2...11, using: &random)
            for id in [RenditionID.video, .audio(0)] {
                window.append(id, segment: segment, start: start, duration: MediaTime(ticks: length, timescale: 1), byteCount: 1)
            }
            start = start + MediaTime(ticks: length, timescale: 1)
            now += .seconds(length)
            for wanted in due where wanted.at <= now {
                #expect(!deleted.contains(wanted.key), "\(wanted.key) at \(wanted.at)")
                asked += 1
            }
            due.removeAll { $0.at <= now }
            window.fetch(.init(.video, segment), at: now)
            deleted.formUnion(window.cut(at: now))
            if segment % 7 == 0 {
                for id in [RenditionID.video, .audio(0)] {
                    var at = now
                    for entry in window.listing(of: id).entries {
                        due.append((at, .init(id, entry.index)))
                        at += .seconds(entry.duration.ticks / Int64(entry.duration.timescale))
                    }
                }
            }
        }
        #expect(asked > 500 && deleted.count > 500)
    }

    /// A day of live television: what is kept is bounded by the window, in lists, memory and on disk.
    @Test func aDayTakesNoMoreRoomThanAnHour() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("window-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededRandom(seed: 3)
        var window = SlidingWindow(renditions: [.video, .audio(0)], shape: .window(span: MediaTime(ticks: 60, timescale: 1), budget: 1 << 20))
        // Eight of these are in memory, the others in the file.
        let store = SegmentStore(budget: 16_000, policy: .retaining(directory: folder.path))
        var (listed, waiting, bytes, fileSize) = (0, 0, 0, Int64(0))
        let day = 86_400 / 6
        for segment in 0..<day {
            for id in [RenditionID.video, .audio(0)] {
                let fragment = MediaFragment(
                    rendition: id, index: segment, content: FragmentContent([UInt8](repeating: 1, count: Int.random(in: 1000...3000, using: &random))),
                    start: MediaTime(ticks: Int64(segment) * 6, timescale: 1), duration: MediaTime(ticks: 6, timescale: 1), sampleCount: 1)
                #expect(store.insert(fragment).isEmpty)
                window.append(id, segment: segment, start: fragment.start, duration: fragment.duration, byteCount: fragment.content.byteCount)
            }
            window.fetch(.init(.video, max(0, segment - 2)), at: .seconds(segment * 6))
            store.remove(window.cut(at: .seconds(segment * 6)))
            listed = max(listed, window.listing(of: .video).entries.count + window.listing(of: .audio(0)).entries.count)
            waiting = max(waiting, window.retiredCount)
            bytes = max(bytes, store.byteCount(after: -1))
            if segment % 600 == 599, case .file(let span)? = store.content(.init(.video, window.front))?.pieces.first {
                var status = stat()
                if fstat(span.descriptor, &status) == 0 { fileSize = max(fileSize, Int64(status.st_size)) }
            }
        }
        #expect(window.front > day - 20 && store.evictions == 0)
        #expect(listed <= 2 * 14 && waiting <= 2 * 20, "\(listed) listed, \(waiting) waiting")
        #expect(bytes <= 16_000, "\(bytes) bytes of memory")
        #expect(fileSize > 0 && fileSize <= 1 << 19, "\(fileSize) bytes of file")
    }
}
