import BitsAndTime
import DolbyVision
import Testing

/// Against what the reference library made of the same units (opt-in by PRISM_MEDIA). The lists of differences are exact: a case on one that does
/// not differ fails as well.
@Suite(.enabled(if: GoldenSet.media != nil))
struct GoldenTests {
    /// Units the library refuses and we do not, with why.
    private static func acceptedBesides(_ set: String, _ index: Int) -> String? {
        switch (set, index) {
        case ("assets-single", 24): "level 3 in the list of version 2.9, as ST 2094-10 has it"
        case ("real-avc-p9", _): "a base layer of 8 bits: profile 9"
        case ("synthetic", 14), ("synthetic-t35in", 14): "short, but whole"
        case ("malformed", 111): "an enhancement layer of the base layer's size"
        case ("malformed", 257), ("malformed", 385), ("malformed", 403): "a level in the other version's list"
        case ("malformed", 243), ("malformed", 516): "a level of no known number"
        default: nil
        }
    }

    private static func parse(_ golden: GoldenSet.Case) throws(ParseError) -> ReferenceProcessingUnit {
        switch golden.inputKind {
        case "t35": try ReferenceProcessingUnit(parsingT35: golden.input[...])
        case "rpu": try ReferenceProcessingUnit(parsingUnit: golden.input.starts(with: [0x7C, 0x01]) ? golden.input.dropFirst(2) : golden.input[...])
        default: try ReferenceProcessingUnit(parsing: golden.input)
        }
    }

    /// Why our output of an accepted unit is another than the library's.
    private static func difference(_ unit: ReferenceProcessingUnit, mode: Int, expected: [UInt8]) -> String? {
        let isFloat = unit.header.coefficientDataType == 1
        switch mode {
        case _ where !unit.dataBeforeChecksum.isEmpty: return "the library moves bytes before the checksum by the alignment bits"
        case _ where expected.isEmpty && unit.displayManagement?.first(Level11.self).map { $0.reserved3 != 0 } == true:
            return "the library cannot write reserved bytes"
        case 1 where isFloat && unit.mapping != nil: return "the library writes a maximum of 0.0 for 1.0"
        case 2 where isFloat && unit.mapping != nil && (unit.profile == 5 || unit.enhancementLayer == .full),
            3 where isFloat && unit.mapping != nil && (unit.profile == 5 || unit.enhancementLayer == .full):
            return "the library writes curves of 0.0"
        case 4 where unit.displayManagement == nil: return "the library claims a payload that is not there"
        case 4 where unit.header.displayManagementIsCompressed: return "the library claims colours that are not there"
        default: return nil
        }
    }

    @Test func everySetIsRewrittenAndConvertedToTheSameBytes() throws {
        let targets: [ReferenceProcessingUnit.Target?] = [nil, .minimalEnhancementLayer, .profile81, .profile81, .profile84]
        var (same, differing) = (0, [String: Int]())
        for set in try GoldenSet.all() {
            for golden in set.cases {
                let place = Comment(rawValue: "\(set.name) \(golden.index) \(golden.label)")
                let unit: ReferenceProcessingUnit
                do throws(ParseError) { unit = try Self.parse(golden) } catch {
                    #expect(!golden.wasAccepted, "\(place): \(error)")
                    #expect(Self.acceptedBesides(set.name, golden.index) == nil || golden.input.isEmpty, place)
                    continue
                }
                guard golden.wasAccepted else {
                    let why = Self.acceptedBesides(set.name, golden.index)
                    #expect(why != nil, place)
                    differing[why ?? "", default: 0] += 1
                    #expect(try ReferenceProcessingUnit(parsing: unit.hevcNALUnit()) == unit, place)
                    continue
                }
                #expect(unit.t35Payload() == golden.t35 || golden.t35.isEmpty, "\(place): t35")
                for (mode, target) in targets.enumerated() {
                    let expected = golden.outputs[mode]
                    let output: [UInt8]
                    do throws(ParseError) {
                        if let target { output = try unit.converted(to: target).hevcNALUnit() } else { output = unit.hevcNALUnit() }
                    } catch {
                        #expect(expected.isEmpty, "\(place) mode \(mode): \(error)")
                        continue
                    }
                    let why = Self.difference(unit, mode: mode, expected: expected)
                    #expect((output == expected) == (why == nil), "\(place) mode \(mode): \(why ?? "")")
                    #expect(try ReferenceProcessingUnit(parsing: output).hevcNALUnit() == output, "\(place) mode \(mode)")
                    if let why { differing[why, default: 0] += 1 } else { same += 1 }
                }
            }
        }
        #expect(same > 2300)
        print("golden units: \(same) outputs the same; \(differing)")
    }

    @Test func theStreamsUnitsBecomeProfile81AsTheLibraryMakesThem() throws {
        var count = 0
        let modes = try GoldenSet.streams(suffix: ".rpu-mode2.bin")
        for (name, units) in try GoldenSet.streams(suffix: ".rpu-decode-order.bin") {
            guard let expected = modes[name] else { continue }
            try #require(units.count == expected.count, "\(name)")
            for (index, unit) in units.enumerated() {
                let unit = try ReferenceProcessingUnit(parsing: unit)
                #expect(unit.hevcNALUnit() == units[index], "\(name) \(index)")
                #expect(try unit.converted(to: .profile81).hevcNALUnit() == expected[index], "\(name) \(index)")
                count += 1
            }
        }
        #expect(count > 400)
        for (name, payloads) in try GoldenSet.streams(suffix: ".t35.bin") {
            for (index, payload) in payloads.enumerated() {
                #expect(try ReferenceProcessingUnit(parsingT35: payload[...]).t35Payload() == payload, "\(name) \(index)")
            }
        }
    }

    @Test func theFactsOfEveryUnitAreThoseTheLibraryTells() throws {
        var count = 0
        for set in try GoldenSet.all() {
            for golden in set.cases where golden.wasAccepted {
                let unit = try Self.parse(golden)
                for difference in GoldenFacts.differences(unit, golden.facts) { Issue.record("\(set.name) \(golden.index) \(golden.label): \(difference)") }
                count += 1
            }
        }
        #expect(count > 400)
    }
}
