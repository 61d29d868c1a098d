@testable import Remux
import Testing

@Suite struct HiddenPicturesTests {
    private func sample(_ pts: Int64, sync: Bool = false, hidden: Bool = false) -> VideoSample {
        VideoSample(pts: pts, timescale: 90_000, sourcePTS: pts, sourceDTS: nil, durationTicks: 3750, isSync: sync, isHidden: hidden, payload: [1, 2, 3])
    }

    @Test func whatComesBeforeTheStartSharesTheFirstPicturesTime() {
        // Decode order I P B B P B B, shown from the second P's first B on.
        let samples = [
            sample(-15000, sync: true, hidden: true), sample(-3750, hidden: true), sample(-11250, hidden: true), sample(-7500, hidden: true),
            sample(7500), sample(0), sample(3750),
        ]
        #expect(HiddenPictures.times(of: samples) == [0, 3, 1, 2, 7500, 4, 3750])
    }

    @Test func whatComesBehindTheEndStandsInTheLastTicks() {
        let samples = [sample(0, sync: true), sample(11250, hidden: true), sample(3750), sample(7500)]
        #expect(HiddenPictures.times(of: samples) == [0, 11249, 3750, 7500])
    }

    @Test func anEditBehindAnotherHidesItsStartBetweenThem() {
        let samples = [
            sample(0, sync: true), sample(3750), sample(7500, hidden: true),
            sample(0, sync: true, hidden: true), sample(3750, hidden: true), sample(7500), sample(11250),
        ]
        #expect(HiddenPictures.times(of: samples) == [0, 3750, 7499, 7500, 7501, 7502, 11250])
    }

    @Test func aGroupThatIsAllHiddenWaitsForTheNextPictureShown() {
        let samples = [sample(-7500, sync: true, hidden: true), sample(-3750, hidden: true), sample(0, sync: true), sample(3750)]
        #expect(HiddenPictures.times(of: samples) == [0, 1, 2, 3750])
    }

    @Test func theFragmentOpensWithTheFirstPictureShownAndEndsWithTheLast() {
        let builder = FragmentBuilder(rendition: .video, timescale: 90_000, presentationOffset: 0, decodeDelay: 0)
        let head = [sample(-7500, sync: true, hidden: true), sample(-3750, hidden: true), sample(0), sample(3750)]
        let (fragment, repeated) = builder.video(index: 0, samples: head, next: nil, emptyAt: .zero)
        #expect(repeated == 0)
        #expect(fragment.start.ticks == 0 && fragment.duration.ticks == 7500)
        let tail = [sample(0, sync: true), sample(7500, hidden: true), sample(3750)]
        #expect(builder.video(index: 0, samples: tail, next: nil, emptyAt: .zero).fragment.duration.ticks == 7500)
    }
}
