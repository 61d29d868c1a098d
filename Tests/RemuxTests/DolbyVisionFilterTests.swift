import DolbyVision
@testable import Remux
import Testing

@Suite struct DolbyVisionFilterTests {
    /// A unit of profile 7 with a minimal enhancement layer.
    static func unit7() throws -> [UInt8] {
        try ReferenceProcessingUnit(header: .profile8, reshaping: .own(.profile84), displayManagement: nil).converted(to: .minimalEnhancementLayer).hevcNALUnit()
    }

    private static let slice: [UInt8] = [0x26, 0x01, 0xAF, 0x10, 0x20]
    private static let enhancement: [UInt8] = [0x7E, 0x01, 0x26, 0x01, 0xAF]

    private static func sample(_ units: [[UInt8]], _ lengthSize: Int = 4) -> [UInt8] {
        units.flatMap { unit in (0..<lengthSize).map { UInt8(truncatingIfNeeded: unit.count >> (8 * (lengthSize - 1 - $0))) } + unit }
    }

    private static func apply(_ filter: inout DolbyVisionFilter, _ sample: [UInt8], _ lengthSize: Int = 4) -> [UInt8]? {
        sample.withUnsafeBytes { bytes in
            filter.parts(of: bytes, lengthSize: lengthSize)?.flatMap { part -> [UInt8] in
                switch part {
                case .kept(let range): Array(bytes[range])
                case .new(let bytes): bytes
                }
            }
        }
    }

    @Test(arguments: [2, 4]) func enhancementUnitsGoAndTheUnitIsConverted(_ lengthSize: Int) throws {
        var filter = DolbyVisionFilter(converts: true)
        let unit = try Self.unit7()
        let expected = try ReferenceProcessingUnit(parsing: unit).converted(to: .profile81).hevcNALUnit()
        #expect(try ReferenceProcessingUnit(parsing: unit).profile == 7 && ReferenceProcessingUnit(parsing: expected).profile == 8)
        let output = Self.apply(&filter, Self.sample([Self.slice, Self.slice, Self.enhancement, Self.enhancement, unit], lengthSize), lengthSize)
        #expect(output == Self.sample([Self.slice, Self.slice, expected], lengthSize))
        #expect(filter.counts.converted == 1 && filter.counts.enhancementUnits == 2 && filter.counts.failed == 0)
    }

    /// A unit of profile 7 under a record of 8.1 would have the film refused.
    @Test func aUnitThatCannotBeReadIsLeftOutAndCounted() throws {
        var filter = DolbyVisionFilter(converts: true)
        var unit = try Self.unit7()
        unit[unit.count - 3] ^= 1
        #expect(Self.apply(&filter, Self.sample([Self.slice, unit])) == Self.sample([Self.slice]))
        #expect(filter.counts.converted == 0 && filter.counts.failed == 1)
    }

    @Test func aSampleWithNothingToChangeIsLeftAlone() throws {
        var filter = DolbyVisionFilter(converts: true)
        #expect(Self.apply(&filter, Self.sample([Self.slice, Self.slice])) == nil)
        var keeping = DolbyVisionFilter(converts: false)
        #expect(Self.apply(&keeping, Self.sample([Self.slice, try Self.unit7()])) == nil)
        #expect(Self.apply(&keeping, Self.sample([Self.enhancement, Self.slice, try Self.unit7()])) == Self.sample([Self.slice, try Self.unit7()]))
    }

    /// What stays is taken from where it lies.
    @Test func piecesOfTheSourceStayPiecesOfTheSource() throws {
        let file = FileSpan(descriptor: 3, offset: 1000, byteCount: 90, owner: Owner())
        let payload = PartedPayload([.kept(0..<40), .new([1, 2, 3]), .kept(60..<90)], of: file)
        #expect(payload.byteCount == 73)
        let pieces = payload.pieces
        #expect(pieces.count == 3)
        guard case .file(let head) = pieces[0], case .bytes(let own) = pieces[1], case .file(let tail) = pieces[2] else {
            Issue.record("\(pieces)")
            return
        }
        #expect(head.offset == 1000 && head.byteCount == 40 && own == [1, 2, 3] && tail.offset == 1060 && tail.byteCount == 30)
    }

    private final class Owner: Sendable {}
}
