import BitsAndTime
import DolbyVision
import TestSupport
import Testing

struct ReferenceProcessingUnitTests {
    private static let profile5 = SyntheticUnit.bytes(
        """
        7c01190809004061b6506f003ff801ffc00fffd0000008000006800000400000340000030200000301c959c0000e658959fe49bbb84959d0f700000300400000030200000300
        020000030005b5497980d142820bf80186400000a9cf5666668060410cc005472d18081f410855e78df9da80
        """)
    private static let minimal = SyntheticUnit.bytes(
        """
        7c011908090840613650af003ff801ffc00ffc001fffa000001000000d0000030080000068000004000003000040000020000020000003000400000302000003020000030000
        400000200000200000344acc00006bd44acdf3f9d6384acc8994000003020000030010000003001000000300386c4486030c14bc611c0a28000003034c7cb5fffe0000030000
        030000030000c0401f01c2a2003008004f930f010115f0ae448301f40000800000030000f91f77ee80
        """)
    private static let minimalAs81 = SyntheticUnit.bytes(
        """
        7c0119080908406136506f003ff801ffc00fffd0000008000006800000400000340000030200000301a2566000035ea2566f9fceb1c256644ca0000010000003008000000300
        8000000301c36224301860a5e308e0514000001a63e5affff000000300000300000300060200f80e15103008004f930f010115f0ae448301f400008000000300008cf420d580
        """)

    @Test func whatWasReadIsWrittenAgain() throws {
        for nalUnit in [Self.profile5, Self.minimal, Self.minimalAs81] {
            let unit = try ReferenceProcessingUnit(parsing: nalUnit)
            #expect(unit.hevcNALUnit() == nalUnit)
            #expect(unit.trailingZeroCount == 0 && unit.dataBeforeChecksum.isEmpty)
            #expect(try ReferenceProcessingUnit(parsingT35: unit.t35Payload()[...]) == unit)
        }
    }

    @Test func aMinimalEnhancementLayerIsLeftOutAsOthersDo() throws {
        #expect(try ReferenceProcessingUnit(parsing: Self.minimal).converted(to: .profile81).hevcNALUnit() == Self.minimalAs81)
    }

    @Test func everyStructureSurvivesInEveryForm() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<250 {
            let unit = SyntheticUnit.random(&random)
            let bytes = unit.serialized()
            #expect(try ReferenceProcessingUnit(parsingUnit: bytes[...]) == unit)
            #expect(try ReferenceProcessingUnit(parsing: unit.hevcNALUnit()) == unit)
            var without = unit
            without.trailingZeroCount = 0
            let payload = unit.t35Payload()
            #expect(try ReferenceProcessingUnit(parsingT35: payload[...]) == without)
            #expect(try ReferenceProcessingUnit(parsingT35: payload.dropFirst()) == without, "without its country code")
        }
    }

    @Test func nalUnitsNeverHoldAStartCode() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let unit = SyntheticUnit.random(&random)
            let bytes = unit.hevcNALUnit().dropLast(unit.trailingZeroCount)
            for (index, byte) in bytes.enumerated().dropFirst(2) where bytes[index - 1] == 0 && bytes[index - 2] == 0 { #expect(byte >= 3) }
        }
    }

    @Test func aUnitIsKnownInItsPrefixForms() throws {
        let unit = try ReferenceProcessingUnit(parsing: Self.minimal)
        let escaped = Array(Self.minimal.dropFirst(2))
        for prefix: [UInt8] in [[], [1], [0, 0, 1], [0, 0, 0, 1], [0x7C, 1]] { #expect(try ReferenceProcessingUnit(parsing: prefix + escaped) == unit) }
        for prefix: [UInt8] in [[0x7E, 1], [0x7C, 2], [0x7C, 9], [0, 0, 0, 1, 0x7C, 1], [0, 0, 1, 0xE, 0x7C, 1]] {
            #expect(throws: ParseError.self) { try ReferenceProcessingUnit(parsing: prefix + escaped) }
        }
        #expect(try ReferenceProcessingUnit(parsing: Self.minimal + [0, 0, 3]).trailingZeroCount == 2)
        #expect(try ReferenceProcessingUnit(parsing: Self.minimal + [0, 0]).hevcNALUnit() == Self.minimal + [0, 0])
    }

    @Test func nothingCutOffIsTakenForWhole() {
        for bytes in [Self.profile5, Self.minimal, Self.minimalAs81] {
            for cut in Damage.truncations(of: bytes) { #expect(throws: ParseError.self) { try ReferenceProcessingUnit(parsing: cut) } }
        }
        var random = SeededRandom(seed: 6)
        for _ in 0..<20 {
            var unit = SyntheticUnit.random(&random)
            unit.trailingZeroCount = 0
            // Behind the unit come at most three bytes that nobody needs.
            for cut in Damage.truncations(of: unit.t35Payload()).dropLast(3) {
                #expect(throws: ParseError.self) { try ReferenceProcessingUnit(parsingT35: cut[...]) }
            }
        }
    }

    /// With its checksum put right, a cut or changed body reaches every reader behind it.
    @Test func damageIsRefusedOrKeptAsItIs() throws {
        var random = SeededRandom(seed: 7)
        var kept = 0
        for seed in 0..<12 {
            let bytes = SyntheticUnit.random(&random).serialized()
            let body = Array(bytes.dropLast(5))
            let damaged = Damage.truncations(of: body) + Damage.mutations(of: body, count: 100, seed: UInt64(seed))
            for copy in damaged.map(SyntheticUnit.sealed) + Damage.mutations(of: bytes, count: 50) {
                let unit: ReferenceProcessingUnit
                do throws(ParseError) { unit = try ReferenceProcessingUnit(parsingUnit: copy[...]) } catch { continue }
                #expect(unit.serialized() == copy)
                kept += 1
                for target in ReferenceProcessingUnit.Target.allCases {
                    let converted: ReferenceProcessingUnit
                    do throws(ParseError) { converted = try unit.converted(to: target) } catch { continue }
                    #expect(try ReferenceProcessingUnit(parsing: converted.hevcNALUnit()) == converted)
                }
            }
        }
        #expect(kept > 100)
    }

    @Test func blocksOfUnknownLevelsAndLengthsAreKept() throws {
        var unit = try ReferenceProcessingUnit(parsing: Self.minimal)
        let before = unit.displayManagement?.blocks.levels ?? []
        unit.displayManagement?.blocks.append(level: 200, payload: [1, 2, 3])
        unit.displayManagement?.blocks.append(level: 8, payload: Array(1...11))
        unit.displayManagement?.blocks.append(level: 0, payload: [])
        unit.displayManagement?.blocks.append(level: 5, payload: [0, 0, 0, 0, 0, 0, 0xF0, 0xFF])
        let read = try ReferenceProcessingUnit(parsing: unit.hevcNALUnit())
        #expect(read == unit)
        #expect(read.displayManagement?.blocks.levels == before + [200, 8, 0, 5])
        #expect(read.displayManagement?.first(Level8.self)?.targetDisplayIndex == 1)
        #expect(read.displayManagement?.first(Level5.self)?.bottom == 0xF)
        #expect(read.displayManagement?.first(Level1.self)?.maximumPQ == unit.displayManagement?.first(Level1.self)?.maximumPQ)
        #expect(try read.converted(to: .profile81).displayManagement?.blocks == unit.displayManagement?.blocks)
    }

    @Test func aBlockWithoutItsFieldsOrWithBitsInItsPaddingIsRefused() throws {
        let whole = try ReferenceProcessingUnit(parsing: Self.minimal)
        for (level, payload) in [(1, [0, 0, 0, 0, 1]), (1, [0, 0, 0, 0]), (2, [UInt8](repeating: 0xFF, count: 11)), (11, [0, 0, 0])] as [(UInt8, [UInt8])] {
            var unit = whole
            unit.displayManagement?.blocks.append(level: level, payload: payload)
            #expect(throws: ParseError.self) { try ReferenceProcessingUnit(parsing: unit.hevcNALUnit()) }
        }
    }

    @Test func bytesBeforeTheChecksumAndZerosBehindTheUnitAreKept() throws {
        var unit = try ReferenceProcessingUnit(parsing: Self.minimalAs81)
        unit.dataBeforeChecksum = [0x12]
        unit.trailingZeroCount = 3
        let read = try ReferenceProcessingUnit(parsing: unit.hevcNALUnit())
        #expect(read == unit)
        #expect(try read.converted(to: .profile84).serialized().suffix(3) == [0, 0, 0])
    }

    @Test func theChecksumIsThatOfMPEG2() {
        #expect(RPUChecksum.of(Array("123456789".utf8)[...]) == 0x0376_E6E7)
    }
}
