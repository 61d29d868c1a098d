import BitsAndTime
@testable import Captions
import Testing

@Suite struct CaptionReorderBufferTests {
    private func picture(_ tick: Int64) -> [CaptionTriplet] { [CaptionTriplet(.field1, UInt8(truncatingIfNeeded: tick), 0)] }
    private func time(_ tick: Int64) -> MediaTime { MediaTime(ticks: tick, timescale: 30) }

    /// I P B b b of a pyramid, over and over: presentation and decode times.
    private func pyramid(shift: Int64) -> [(Int64, Int64)] {
        (0..<10).flatMap { group -> [(Int64, Int64)] in
            zip([4, 2, 1, 3] as [Int64], 0...).map { ($0 + Int64(group) * 4 + shift, $1 + Int64(group) * 4) }
        }
    }

    @Test(arguments: [Int64(2), 3, 0, -2])
    func picturesComeOutAsTheyAreShown(shift: Int64) {
        // Shifts below two are signed composition offsets: pictures shown before their decode times.
        var buffer = CaptionReorderBuffer(lead: time(max(0, 2 - shift)))
        var given: [Int64] = []
        for (shown, decoded) in pyramid(shift: shift) {
            given += buffer.take(presentationTime: time(shown), decodeTime: time(decoded), triplets: picture(shown)).map(\.presentationTime.ticks)
        }
        #expect(given.count > 20 && given == given.sorted())
        given += buffer.flush().map(\.presentationTime.ticks)
        #expect(given == pyramid(shift: shift).map(\.0).sorted() && buffer.lateCount == 0)
    }

    @Test func howEarlyPicturesAreShownIsLearned() {
        var buffer = CaptionReorderBuffer()
        var given: [Int64] = []
        for (shown, decoded) in pyramid(shift: 0) {
            given += buffer.take(presentationTime: time(shown), decodeTime: time(decoded), triplets: picture(shown)).map(\.presentationTime.ticks)
        }
        #expect(buffer.lead == time(1) && Array(given.dropFirst(4)) == given.dropFirst(4).sorted())
    }

    @Test func withoutDecodeTimesAsManyWaitAsAnyCodecReorders() {
        var buffer = CaptionReorderBuffer()
        var given: [Int64] = []
        for (shown, _) in pyramid(shift: 2) {
            given += buffer.take(presentationTime: time(shown), decodeTime: nil, triplets: picture(shown)).map(\.presentationTime.ticks)
        }
        #expect(given == Array(3...10))
    }

    @Test func whatIsHeldIsBoundedAndFieldsOfOneTimeKeepTheirOrder() {
        var buffer = CaptionReorderBuffer()
        var given = 0
        for tick in 0..<2000 as Range<Int64> { given += buffer.take(presentationTime: time(10_000 - tick), decodeTime: time(0), triplets: []).count }
        #expect(given == 2000 - CaptionReorderBuffer.capacity && buffer.lateCount > 0)
        var fields = CaptionReorderBuffer()
        _ = fields.take(presentationTime: time(5), decodeTime: time(0), triplets: picture(1))
        _ = fields.take(presentationTime: time(5), decodeTime: time(0), triplets: picture(2))
        #expect(fields.flush().map(\.triplets) == [picture(1), picture(2)])
    }
}
