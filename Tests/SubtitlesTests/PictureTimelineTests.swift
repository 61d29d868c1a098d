import BitsAndTime
import Subtitles
import Testing

private func seconds(_ value: Int64) -> MediaTime { MediaTime(ticks: value, timescale: 1) }

@Suite struct PictureTimelineTests {
    static let canvas = PictureCanvas(width: 1920, height: 1080, coveredWidth: 1920, coveredHeight: 1080)

    static func object(_ colour: UInt8 = 1) -> PictureObject {
        PictureObject(x: 0, y: 0, width: 2, height: 1, pixels: [colour, 0], palette: [0, 0xFFFF_FFFF, 0xFFFF_0000], isForced: false)
    }

    /// A timeline of whole seconds.
    final class Screen {
        var timeline = PictureTimeline()

        func show(_ colour: UInt8?, at time: Int64, until: Int64? = nil, repeats: Bool = false) -> PictureCue? {
            let objects = colour.map { [PictureTimelineTests.object($0)] } ?? []
            return timeline.show(objects, on: PictureTimelineTests.canvas, from: seconds(time), until: until.map { seconds($0) }, repeats: repeats)
        }
        func advance(to time: Int64) -> PictureCue? { timeline.advance(to: seconds(time)) }
        func interrupt() -> PictureCue? { timeline.interrupt() }
        func finish(at time: Int64? = nil) -> PictureCue? { timeline.finish(at: time.map { seconds($0) }) }
    }

    private let screen = Screen()

    private func span(_ cue: PictureCue?) -> [Int64]? { cue.map { [$0.start.converted(to: 1).ticks, $0.end.converted(to: 1).ticks] } }

    @Test func anEndIsTheNextSetOrClear() {
        #expect(screen.show(1, at: 10) == nil)
        let first = screen.show(2, at: 14)
        #expect(span(first) == [10, 14] && first?.ending == .replaced)
        #expect(span(screen.show(nil, at: 817)) == [14, 817])
        #expect(screen.show(nil, at: 900) == nil)
        #expect(screen.finish() == nil)
    }

    @Test func theStreamsOwnEndHoldsUnlessTheNextSetIsEarlier() {
        _ = screen.show(1, at: 10, until: 15)
        #expect(screen.advance(to: 14) == nil)
        let authored = screen.advance(to: 15)
        #expect(span(authored) == [10, 15] && authored?.ending == .authored)
        _ = screen.show(1, at: 20, until: 25)
        #expect(span(screen.show(2, at: 23, until: 40)) == [20, 23])
        #expect(span(screen.show(nil, at: 50)) == [23, 40])
        // What is no end is none: a stop at the start.
        _ = screen.show(1, at: 60, until: 60)
        #expect(span(screen.show(nil, at: 66)) == [60, 66])
    }

    @Test func onlyAStreamsEndIsStoodInFor() {
        _ = screen.show(1, at: 10)
        let last = screen.finish()
        #expect(span(last) == [10, 13] && last?.ending == .assumed)
        _ = screen.show(1, at: 10)
        #expect(span(screen.finish(at: 12)) == [10, 12])
        _ = screen.show(1, at: 10, until: 40)
        #expect(span(screen.finish()) == [10, 40])
    }

    /// A packet far away, as a seek brings it, says nothing of what was shown before.
    @Test func anEndIsNeverTakenAcrossAHole() {
        _ = screen.show(1, at: 10)
        let open = screen.interrupt()
        #expect(span(open) == [10, 20] && open?.ending == .assumed)
        #expect(screen.show(2, at: 70) == nil)
        // Time that falls back is a hole that nobody announced.
        let fallen = screen.show(1, at: 20)
        #expect(span(fallen) == [70, 80] && fallen?.ending == .assumed)
        #expect(span(screen.show(nil, at: 24)) == [20, 24])
    }

    @Test func aLaterReadMayOnlyShorten() throws {
        _ = screen.show(1, at: 10)
        let open = try #require(screen.interrupt())
        _ = screen.show(1, at: 10)
        let known = try #require(screen.show(nil, at: 14))
        #expect(open.shortened(by: known) == known)
        #expect(known.shortened(by: open) == known)
        _ = screen.show(1, at: 11)
        let another = try #require(screen.show(nil, at: 12))
        #expect(known.shortened(by: another) == known)
        // A span that readers can count on.
        _ = screen.show(1, at: 20)
        let long = try #require(screen.show(nil, at: 90))
        #expect(span(long.bounded()) == [20, 30] && known.bounded() == known)
    }

    @Test func repeatsGoOnWithWhatIsShown() {
        _ = screen.show(1, at: 10, until: 15)
        #expect(screen.show(1, at: 12, until: 17, repeats: true) == nil)
        #expect(span(screen.show(2, at: 16, until: 20, repeats: true)) == [10, 16])
        // After its time-out the same picture is another cue.
        #expect(span(screen.show(2, at: 30, until: 35, repeats: true)) == [16, 20])
        #expect(span(screen.show(2, at: 31, until: 36)) == [30, 31])
    }

    @Test func whatNobodyCouldSeeIsCounted() {
        _ = screen.show(1, at: 10)
        #expect(screen.show(2, at: 10) == nil)
        #expect(screen.timeline.unseenCount == 1)
        #expect(screen.show(nil, at: 12)?.objects == [Self.object(2)])
    }
}
