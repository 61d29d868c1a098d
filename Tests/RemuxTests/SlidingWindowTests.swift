import BitsAndTime
import HLS
import Remux
import Testing

/// The window's rules one by one, on six-second segments: TARGETDURATION is 12, so 36 s are the least a playlist lists.
@Suite struct SlidingWindowTests {
    private var window: SlidingWindow
    private var produced = 0

    init() { window = Self.window(seconds: 60) }

    private static func window(seconds: Int64, budget: Int = .max, renditions: [RenditionID] = [.video, .audio(0)]) -> SlidingWindow {
        SlidingWindow(renditions: renditions, shape: .window(span: MediaTime(ticks: seconds, timescale: 1), budget: budget))
    }

    private func time(_ seconds: Int64) -> MediaTime { MediaTime(ticks: seconds, timescale: 1) }

    /// Produces segments up to `end`, each followed by its cut.
    ///
    /// - Parameter silent: Segments in which the audio has nothing.
    private mutating func produce(upTo end: Int, silent: Range<Int> = 0..<0, at now: Duration = .zero) -> [SegmentStore.Key] {
        var deleted: [SegmentStore.Key] = []
        while produced < end {
            let start = time(Int64(produced) * 6)
            window.append(.video, segment: produced, start: start, duration: time(6), byteCount: 1000)
            if !silent.contains(produced) { window.append(.audio(0), segment: produced, start: start, duration: time(6), byteCount: 100) }
            produced += 1
            deleted += window.cut(at: now)
        }
        return deleted
    }

    private mutating func fetch(_ segment: Int, _ rendition: RenditionID = .video, at now: Duration = .zero) { window.fetch(.init(rendition, segment), at: now) }

    private func listed(_ rendition: RenditionID) -> [Range<Int>] { window.listing(of: rendition).entries.map(\.segments) }

    // MARK: Where the front is

    @Test mutating func nothingLeavesBeforeTheFirstFetch() {
        _ = produce(upTo: 100)
        #expect(window.front == 0 && listed(.video).count == 100)
    }

    @Test mutating func theFrontFollowsTheSegmentFetchedLast() {
        _ = produce(upTo: 20)
        fetch(15)
        #expect(window.front == 0, "a fetch alone moves nothing")
        _ = produce(upTo: 21)
        // Segment 15 begins at 90 s; sixty before that is segment 5.
        #expect(window.front == 5)
        for id in [RenditionID.video, .audio(0)] {
            #expect(listed(id).first == 5..<6 && listed(id).last == 20..<21)
            #expect(window.listing(of: id).removedCount == 5)
        }
        fetch(8)
        _ = produce(upTo: 22)
        #expect(window.front == 5, "and never goes back")
    }

    @Test mutating func threeTargetDurationsStay() {
        window = Self.window(seconds: 0)
        _ = produce(upTo: 9)
        fetch(8)
        _ = produce(upTo: 10)
        #expect(window.front == 4 && window.listing(of: .video).duration == time(36))
    }

    @Test mutating func theSegmentFetchedLastStays() {
        window = Self.window(seconds: 0, budget: 1)
        _ = produce(upTo: 20)
        fetch(3)
        _ = produce(upTo: 21)
        #expect(window.front == 3)
    }

    @Test mutating func theTrackThatIsFurthestBehindStaysToo() {
        window = Self.window(seconds: 0, budget: 1)
        _ = produce(upTo: 20)
        fetch(3, .audio(0), at: .seconds(100))
        fetch(8, at: .seconds(136))
        _ = produce(upTo: 21)
        #expect(window.front == 3)
        // Nobody listens to it any more.
        fetch(9, at: .seconds(137))
        _ = produce(upTo: 22)
        #expect(window.front == 9)
    }

    @Test mutating func theBudgetWinsOverTheSeconds() {
        window = Self.window(seconds: 600, budget: 10 * 1100)
        _ = produce(upTo: 30)
        fetch(29)
        _ = produce(upTo: 31)
        #expect(window.front == 21 && listed(.video).count == 10)
    }

    @Test mutating func whatIsLostLeavesTheListBehind() {
        _ = produce(upTo: 20)
        fetch(12)
        window.lose([.init(.video, 6), .init(.audio(0), 7)])
        _ = produce(upTo: 21)
        #expect(window.front == 8)
    }

    @Test mutating func anEventLosesNothing() {
        window = SlidingWindow(renditions: [.video, .audio(0)], shape: .event)
        _ = produce(upTo: 50)
        fetch(49)
        window.lose([.init(.video, 3)])
        #expect(produce(upTo: 60, at: .seconds(100_000)).isEmpty)
        #expect(listed(.video).count == 60 && window.front == 0)
    }

    // MARK: Folds

    @Test mutating func timeWithoutSoundIsTheNextEntrys() {
        window = SlidingWindow(renditions: [.video, .audio(0)], shape: .event)
        _ = produce(upTo: 8, silent: 3..<6)
        let entries = window.listing(of: .audio(0)).entries
        #expect(entries.map(\.segments) == [0..<1, 1..<2, 2..<3, 3..<7, 7..<8])
        #expect(entries.map(\.index) == [0, 1, 2, 6, 7], "files keep their segment's number")
        #expect(entries.map(\.duration.seconds) == [6, 6, 6, 24, 6], "and the playlist's clock goes on")
        #expect(window.listing(of: .audio(0)).targetSeconds == 24 && window.listing(of: .video).targetSeconds == 12)
    }

    @Test mutating func theCutMovesBackToTheStartOfAnEntryForEveryone() {
        _ = produce(upTo: 30, silent: 3..<6)
        fetch(15)
        _ = produce(upTo: 31)
        // Sixty seconds before segment 15 lies inside the audio's entry 3..<7.
        #expect(window.front == 3)
        #expect(listed(.audio(0)).first == 3..<7 && listed(.video).first == 3..<4)
        fetch(17)
        _ = produce(upTo: 32)
        #expect(window.front == 7)
        #expect(window.listing(of: .video).removedCount == 7 && window.listing(of: .audio(0)).removedCount == 4)
    }

    @Test mutating func aFetchOfAFoldedEntryKeepsItsStart() {
        window = Self.window(seconds: 0)
        _ = produce(upTo: 30, silent: 3..<6)
        fetch(6, .audio(0))
        _ = produce(upTo: 31)
        #expect(window.front == 3)
    }

    @Test mutating func soundThatBeginsLateBeginsOnTheFront() {
        _ = produce(upTo: 30, silent: 0..<100)
        fetch(25)
        _ = produce(upTo: 31, silent: 0..<100)
        #expect(window.front == 15)
        _ = produce(upTo: 32)
        let late = window.listing(of: .audio(0))
        #expect(late.entries.map(\.segments) == [15..<32] && late.removedCount == 0)
        #expect(late.entries.first?.duration == time(17 * 6) && late.targetSeconds == 102)
        // Its three targets hold everyone's window from now on.
        fetch(80)
        _ = produce(upTo: 82)
        #expect(window.front == 15)
        _ = produce(upTo: 95)
        fetch(94)
        _ = produce(upTo: 96)
        #expect(window.front == 96 - 306 / 6)
    }

    @Test mutating func soundThatStopsHoldsNobodyBackAndRejoinsOnTheFront() {
        _ = produce(upTo: 10)
        _ = produce(upTo: 15, silent: 10..<1000)
        fetch(14)
        _ = produce(upTo: 16, silent: 10..<1000)
        // The variant could go to 10; the audio has 36 s only from 4 on.
        #expect(window.front == 4)
        fetch(18)
        _ = produce(upTo: 40, silent: 10..<1000)
        fetch(39)
        _ = produce(upTo: 41, silent: 10..<1000)
        #expect(window.front == 29 && listed(.audio(0)).isEmpty && window.listing(of: .audio(0)).removedCount == 10)
        _ = produce(upTo: 42)
        #expect(listed(.audio(0)) == [29..<42])
        #expect(window.listing(of: .audio(0)).entries[0].start == time(29 * 6))
        #expect(window.listing(of: .audio(0)).removedCount == 10)
    }

    @Test mutating func theTargetNeverFalls() {
        window.append(.video, segment: 0, start: .zero, duration: MediaTime(ticks: 205, timescale: 10), byteCount: 1)
        #expect(window.listing(of: .video).targetSeconds == 21, "20.5 s round up")
        for segment in 1..<60 { window.append(.video, segment: segment, start: time(Int64(segment) * 2 + 18), duration: time(2), byteCount: 1) }
        fetch(59)
        _ = window.cut(at: .zero)
        #expect(window.front > 0 && window.listing(of: .video).targetSeconds == 21)
        #expect(window.listing(of: .video).duration >= time(63))
    }

    // MARK: Deletion

    @Test mutating func aFileGoesOnceNoOldPlaylistCanNameIt() {
        _ = produce(upTo: 20)
        fetch(15)
        // The longest playlist so far is the one with all 21 segments: 126 s; six more for the file itself.
        #expect(produce(upTo: 21, at: .seconds(1000)).isEmpty)
        #expect(window.retiredCount == 10)
        #expect(produce(upTo: 22, at: .milliseconds(1_131_999)).isEmpty)
        let gone = produce(upTo: 23, at: .seconds(1132))
        #expect(Set(gone) == Set((0..<5).flatMap { [SegmentStore.Key(.video, $0), .init(.audio(0), $0)] }))
        #expect(window.retiredCount == 0)
        #expect(produce(upTo: 24, at: .seconds(9999)).isEmpty, "once")
    }

    @Test mutating func itsTimeIsRoundedUp() {
        for segment in 0..<20 {
            window.append(
                .video, segment: segment, start: MediaTime(ticks: Int64(segment) * 61, timescale: 10), duration: MediaTime(ticks: 61, timescale: 10), byteCount: 1)
        }
        fetch(19)
        #expect(window.cut(at: .zero).isEmpty)
        // 6.1 and 122 s: 129, not 128.1.
        #expect(window.cut(at: .milliseconds(128_900)).isEmpty)
        #expect(!window.cut(at: .seconds(129)).isEmpty)
    }

    // MARK: What others ask

    @Test mutating func whatLeftEndsWhereTheWindowBegins() {
        #expect(window.end(of: -1) == nil)
        _ = produce(upTo: 20)
        #expect(window.end(of: 3) == time(24) && window.end(of: 20) == nil)
        fetch(15)
        _ = produce(upTo: 21)
        #expect(window.end(of: 3) == time(30) && window.end(of: 5) == time(36))
    }

    @Test mutating func theEndIsSaidOnceTheLastSegmentWasFetched() {
        _ = produce(upTo: 5)
        #expect(!window.publish(.video, isAtEnd: false, at: .zero).isEnded)
        #expect(window.publish(.video, isAtEnd: true, at: .zero).isEnded, "nobody knows of less")
        window.fetch(.init(.video, 2), at: .zero)
        for _ in 0..<3 {
            let (listing, isEnded) = window.publish(.video, isAtEnd: true, at: .seconds(1))
            #expect(listing.end == 5 && !isEnded, "however many others ask")
        }
        #expect(!window.publish(.audio(0), isAtEnd: true, at: .seconds(1)).isEnded)
        window.fetch(.init(.video, 4), at: .seconds(2))
        #expect(window.publish(.video, isAtEnd: true, at: .seconds(2)).isEnded)
        window.fetch(.init(.audio(0), 3), at: .seconds(2))
        #expect(!window.publish(.audio(0), isAtEnd: true, at: .seconds(2)).isEnded)
        #expect(window.publish(.audio(0), isAtEnd: true, at: .seconds(1 + 3 * 12)).isEnded, "nobody waits for ever")
    }

    @Test mutating func thePlaylistOfAWindow() throws {
        _ = produce(upTo: 20, silent: 18..<19)
        fetch(16)
        _ = produce(upTo: 21)
        fetch(20)
        _ = produce(upTo: 22)
        let audio = window.listing(of: .audio(0))
        let shape = window.shape
        #expect(
            String(decoding: PlaylistBuilder.sequential(audio, shape: shape, isEnded: false, independent: false), as: UTF8.self) == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:12
                #EXT-X-MEDIA-SEQUENCE:10
                #EXT-X-MAP:URI="init.mp4"
                #EXTINF:6.000,
                seg10.m4s
                #EXTINF:6.000,
                seg11.m4s
                #EXTINF:6.000,
                seg12.m4s
                #EXTINF:6.000,
                seg13.m4s
                #EXTINF:6.000,
                seg14.m4s
                #EXTINF:6.000,
                seg15.m4s
                #EXTINF:6.000,
                seg16.m4s
                #EXTINF:6.000,
                seg17.m4s
                #EXTINF:12.000,
                seg19.m4s
                #EXTINF:6.000,
                seg20.m4s
                #EXTINF:6.000,
                seg21.m4s

                """)
        let ended = try MediaPlaylist(parsing: String(decoding: PlaylistBuilder.sequential(audio, shape: shape, isEnded: true, independent: true), as: UTF8.self))
        #expect(ended.isEnded && ended.isIndependent && ended.playlistType == nil && !ended.startsAtBeginning)
        let event = try MediaPlaylist(parsing: String(decoding: PlaylistBuilder.sequential(audio, shape: .event, isEnded: false, independent: true), as: UTF8.self))
        #expect(event.playlistType == .event && event.startsAtBeginning)
    }
}
