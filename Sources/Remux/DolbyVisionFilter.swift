internal import BitsAndTime
internal import Bitstreams
internal import DolbyVision

/// Makes samples of profile 7 into what their sample entry says: enhancement layer units go, and each reference processing unit is rewritten
/// for profile 8.1, or goes too. One that cannot be rewritten is left out: that picture shows as its base layer, where a unit of another
/// profile under this record would make players refuse the film.
package struct DolbyVisionFilter: Sendable, Equatable {
    package struct Counts: Sendable, Equatable {
        /// Units rewritten.
        package var converted = 0
        /// Units that could not be read or rewritten, and pictures of a second stream's that had none: shown as their base layer.
        package var failed = 0
        /// Enhancement layer units left out.
        package var enhancementUnits = 0

        package init() {}

        static func + (a: Counts, b: Counts) -> Counts {
            var sum = a
            sum.converted += b.converted
            sum.failed += b.failed
            sum.enhancementUnits += b.enhancementUnits
            return sum
        }
    }

    /// A stretch of what the sample becomes.
    enum Part: Equatable {
        case kept(Range<Int>)
        case new([UInt8])
    }

    let converts: Bool
    private(set) package var counts = Counts()

    package init(converts: Bool) { self.converts = converts }

    /// What becomes of a sample; `nil` when all of it stays.
    mutating func parts(of sample: UnsafeRawBufferPointer, lengthSize: Int) -> [Part]? {
        var parts: [Part] = []
        var isChanged = false
        for range in NALUnitSequence.units(in: sample, framing: .lengthPrefixed(lengthSize: lengthSize)).ranges {
            let whole = (range.lowerBound - lengthSize)..<range.upperBound
            switch HEVCUnitType(sample, range) {
            case .enhancementLayer:
                counts.enhancementUnits += 1
                isChanged = true
            case .referenceProcessingUnit where converts:
                isChanged = true
                if let unit = converted(sample[range], lengthSize: lengthSize) { parts.append(.new(unit)) }
            default:
                if case .kept(let last)? = parts.last, last.upperBound == whole.lowerBound {
                    parts[parts.count - 1] = .kept(last.lowerBound..<whole.upperBound)
                } else {
                    parts.append(.kept(whole))
                }
            }
        }
        return isChanged ? parts : nil
    }

    /// A unit for profile 8.1 behind its length; counted.
    mutating func converted(_ unit: some Collection<UInt8>, lengthSize: Int) -> [UInt8]? {
        do throws(ParseError) {
            let rewritten = try ReferenceProcessingUnit(parsing: Array(unit)).converted(to: .profile81).hevcNALUnit()
            if let framed = NALUnitSequence.lengthPrefixed([rewritten[...]], lengthSize: lengthSize) {
                counts.converted += 1
                return framed
            }
        } catch {
            // Counted below, as one too long for its length is.
        }
        counts.failed += 1
        return nil
    }

    /// Says that a picture has no unit to convert.
    mutating func countMissing() { counts.failed += 1 }
}
