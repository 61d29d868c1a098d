import BitsAndTime
import TestSupport
import Testing

@testable import Remux

@Suite struct ListeningPlaceTests {
    /// A store's segments, as far as a listener sees them.
    private struct Film {
        var here: Set<Int> = []
        var production = ListeningPlace.Production(playhead: 0, produced: 0..<0, count: 100, isAtEnd: false)

        func step(_ place: inout ListeningPlace) -> ListeningPlace.Step { place.step(production) { index in here.filter { $0 >= index }.min() } }
    }

    @Test func segmentsAreTakenAsTheyCome() {
        var (film, place) = (Film(), ListeningPlace())
        #expect(film.step(&place) == .wait)
        for index in 0..<5 {
            film.here.insert(index)
            film.production.produced = 0..<(index + 1)
            #expect(film.step(&place) == .take(index, isJump: false))
            #expect(film.step(&place) == .wait)
        }
        place = ListeningPlace(next: 100)
        #expect(film.step(&place) == .ended)
    }

    @Test func theViewerIsFollowedForwardAndBack() {
        var (film, place) = (Film(), ListeningPlace())
        film.here = [0, 1, 2]
        film.production.produced = 0..<3
        #expect(film.step(&place) == .take(0, isJump: false))
        film.production.playhead = 50
        film.production.produced = 50..<50
        // What is here is given first; it is next.
        #expect(film.step(&place) == .take(1, isJump: false))
        #expect(film.step(&place) == .take(2, isJump: false))
        #expect(film.step(&place) == .wait)
        film.here.insert(50)
        film.production.produced = 50..<51
        #expect(film.step(&place) == .take(50, isJump: true))
        // A little back is no move: players fetch sound and picture by turns.
        film.production.playhead = 48
        #expect(film.step(&place) == .wait)
        film.production.playhead = 1
        #expect(film.step(&place) == .take(1, isJump: true))
        #expect(film.step(&place) == .take(2, isJump: false))
    }

    @Test func whatMadeRoomIsPassedOver() {
        var (film, place) = (Film(), ListeningPlace())
        film.here = [0]
        film.production.produced = 0..<1
        #expect(film.step(&place) == .take(0, isJump: false))
        film.here = [3, 4]
        film.production.produced = 0..<5
        #expect(film.step(&place) == .take(3, isJump: true))
        #expect(film.step(&place) == .take(4, isJump: false))
        // Nothing is left of it: on with what comes next.
        film.here = []
        film.production.produced = 0..<8
        #expect(film.step(&place) == .wait)
        film.here = [8]
        film.production.produced = 0..<9
        #expect(film.step(&place) == .take(8, isJump: true))
    }

    @Test func withoutAPlanTheEndIsWhereProductionEnded() {
        var (film, place) = (Film(), ListeningPlace())
        film.production.count = nil
        film.here = [0, 1]
        film.production.produced = 0..<2
        film.production.isAtEnd = true
        #expect(film.step(&place) == .take(0, isJump: false))
        #expect(film.step(&place) == .take(1, isJump: false))
        #expect(film.step(&place) == .ended)
    }

    /// Whatever happens, no segment is given that is not here, none twice in a row, and each that is not marked follows the one before.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func noOrderOfThingsMisleadsIt(seed: UInt64) {
        var (film, place, random) = (Film(), ListeningPlace(), SeededRandom(seed: seed))
        var last: Int?
        for _ in 0..<5000 {
            switch random.next() % 6 {
            case 0: film.production.playhead = Int(random.next() % 100)
            case 1, 2:
                let produced = film.production.produced ?? 0..<0
                film.here.insert(produced.upperBound)
                film.production.produced = produced.lowerBound..<min(produced.upperBound + 1, 100)
            case 3: film.production.produced = film.production.playhead..<film.production.playhead
            case 4: film.here = film.here.filter { _ in random.next() % 4 != 0 }
            default: film.production.produced = random.next() % 8 == 0 ? nil : film.production.produced ?? 0..<0
            }
            guard case .take(let index, let isJump) = film.step(&place) else { continue }
            #expect(film.here.contains(index))
            if let last, !isJump { #expect(index == last + 1) }
            last = index
        }
        #expect(last != nil)
    }

    // MARK: What of the store makes up an interval

    private func resident(_ index: Int, _ start: Double, _ end: Double) -> SegmentStore.Resident {
        .init(
            index: index, start: MediaTime(seconds: start, timescale: 48000), duration: MediaTime(seconds: end - start, timescale: 48000), content: FragmentContent())
    }

    @Test func anIntervalIsAllThereOrNotAtAll() {
        let film = [resident(0, 0.02, 2), resident(1, 2, 8), resident(2, 8, 14), resident(4, 20, 26), resident(5, 26.5, 29.9)]
        let bounds = (start: MediaTime.zero, end: MediaTime(ticks: 30, timescale: 1), last: 5)
        func chosen(_ from: Double, _ to: Double, isPlanned: Bool = true) -> [Int]? {
            ResidentSound.choose(
                film, from: MediaTime(seconds: from, timescale: 48000), to: MediaTime(seconds: to, timescale: 48000), bounds: isPlanned ? bounds : nil)?.map(\.index)
        }
        #expect(chosen(0, 1) == [0])
        #expect(chosen(1, 3) == [0, 1])
        #expect(chosen(3, 4) == [0, 1], "a decoder needs what came before")
        #expect(chosen(9, 14) == [1, 2])
        #expect(chosen(9, 15) == nil)
        #expect(chosen(15, 16) == nil)
        #expect(chosen(19, 21) == nil)
        #expect(chosen(21, 25) == [4])
        #expect(chosen(25, 28) == [4, 5], "a hole of the track's own is silence")
        #expect(chosen(28, 30) == [4, 5], "it may end before the film")
        #expect(chosen(28, 30.1) == nil)
        #expect(chosen(-0.1, 1) == nil)
        #expect(chosen(28, 29.95, isPlanned: false) == nil)
        #expect(chosen(0, 1, isPlanned: false) == nil)
        #expect(chosen(3, 3) == nil)
    }
}
