@testable import Remux
import Testing

@Suite struct ReorderingDelayTests {
    /// What was read of a film's head ends anywhere, and the track's delay goes into its init segment: it must not hang on where.
    @Test(arguments: [
        ([0, 4, 2, 1, 3], 4, 2),
        ([0, 3, 1, 2], 3, 1),
        ([0, 8, 4, 2, 1, 3, 6, 5, 7], 8, 3),
        ([0, 1, 2, 3], 4, 0),
    ])
    func itDoesNotHangOnWhereTheHeadEnds(group: [Int64], step: Int64, expected: Int64) {
        var times = group
        for number in 1..<20 { times += group.dropFirst(step == 4 && group.count == 4 ? 0 : 1).map { $0 + Int64(number) * step } }
        for count in (group.count * 2)...times.count {
            #expect(RenditionFactory.reorderingDelay(Array(times[..<count]), told: 0, rate: nil, timescale: 24) == expected, "\(count) pictures")
        }
    }

    @Test func whatTheBitstreamSaysIsTheLeastOfIt() {
        #expect(RenditionFactory.reorderingDelay([0, 1, 2, 3, 4], told: 2, rate: (24, 1), timescale: 24) == 2)
    }
}
