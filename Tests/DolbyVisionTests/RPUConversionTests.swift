import BitsAndTime
import DolbyVision
import TestSupport
import Testing

struct RPUConversionTests {
    private static func unit(_ change: (inout RPUDataHeader) -> Void, layer: InverseQuantization? = nil) -> ReferenceProcessingUnit {
        var header = RPUDataHeader.profile8
        change(&header)
        var random = SeededRandom(seed: 1)
        let curves = (0..<3).map { _ in SyntheticUnit.curve(header, &random) }
        var colour = SignalColour.bt2020PQ
        colour.signalColourSpace = 2
        colour.yccToRGBOffsets = [1, 2, 3]
        colour.sourceMaximumPQ = 2081
        var payload = DisplayManagementPayload(sceneRefresh: 1, colour: header.displayManagementIsCompressed ? nil : colour)
        payload.blocks.append(Level1(minimumPQ: 7, maximumPQ: 2081, averagePQ: 1000))
        return ReferenceProcessingUnit(
            header: header, reshaping: .own(RPUDataMapping(partitionsAcrossMinus1: 2, curves: curves, inverseQuantization: layer)), displayManagement: payload)
    }

    private static func dualLayer(_ header: inout RPUDataHeader) {
        header.isResidualDisabled = false
        header.hasEnhancementLayerSpatialResamplingFilter = true
    }

    private static func profile5(_ header: inout RPUDataHeader) { (header.vdrRPUProfile, header.isBaseLayerFullRange) = (0, true) }

    private static let full = InverseQuantization(
        components: Array(
            repeating: .init(
                offset: 512, maximum: .init(integer: 0, fraction: 1 << 20), deadZoneSlope: .init(integer: 0, fraction: 2048), deadZoneThreshold: .zero),
            count: 3))

    @Test func aUnitTellsItsProfileAndEnhancementLayer() {
        #expect(Self.unit { _ in }.profile == 8)
        #expect(Self.unit(Self.profile5).profile == 5)
        #expect(Self.unit(Self.dualLayer, layer: Self.full).profile == 7)
        #expect(Self.unit(Self.dualLayer, layer: Self.full).enhancementLayer == .full)
        #expect(Self.unit(Self.dualLayer, layer: .minimal(.profile8)).enhancementLayer == .minimal)
        #expect(Self.unit { $0.isResidualDisabled = false }.profile == 7, "a second layer of the same size needs no resampling")
        #expect(Self.unit { Self.dualLayer(&$0); $0.vdrBitDepthMinus8 = 6 }.profile == 4)
        #expect(Self.unit { $0.baseLayerBitDepthMinus8 = 0 }.profile == 9)
        #expect(Self.unit { $0.vdrRPUProfile = 0 }.profile == nil)
        #expect(Self.unit { $0.vdrRPUProfile = 3 }.profile == nil)
        #expect(Self.unit { _ in }.enhancementLayer == nil)
    }

    @Test func aFullEnhancementLayerLeavesABaseLayerWithoutCurves() throws {
        let unit = Self.unit(Self.dualLayer, layer: Self.full)
        let converted = try unit.converted(to: .profile81)
        #expect(converted.profile == 8)
        let mapping = try #require(converted.mapping)
        #expect(mapping == RPUDataMapping(curves: Array(repeating: .identity(.profile8), count: 3)))
        #expect(mapping.curves[0] == ReshapingCurve(pivots: [0, 1023], pieces: [.polynomial(order: 1)], coefficients: [.zero, .init(integer: 1, fraction: 0)]))
        #expect(converted.displayManagement?.colour?.yccToRGBOffsets == SignalColour.bt2020PQ.yccToRGBOffsets)
        #expect(converted.displayManagement?.colour?.signalColourSpace == 0)
        #expect(converted.displayManagement?.colour?.sourceMaximumPQ == 2081)
        #expect(converted.displayManagement?.blocks == unit.displayManagement?.blocks)
    }

    @Test func aMinimalEnhancementLayersCurvesStay() throws {
        let unit = Self.unit(Self.dualLayer, layer: .minimal(.profile8))
        let converted = try unit.converted(to: .profile81)
        #expect(converted.mapping?.curves == unit.mapping?.curves)
        #expect(converted.mapping?.inverseQuantization == nil)
        #expect(converted.mapping?.partitionsAcrossMinus1 == 0)
        #expect(converted.header == .profile8)
        let back = try converted.converted(to: .minimalEnhancementLayer)
        #expect(back.profile == 7)
        #expect(back.enhancementLayer == .minimal)
        #expect(back.mapping?.curves == unit.mapping?.curves)
    }

    @Test func profile5LosesItsCurvesAndRange() throws {
        let converted = try Self.unit(Self.profile5).converted(to: .profile81)
        #expect(converted.header == .profile8)
        #expect(converted.mapping?.curves == Array(repeating: .identity(.profile8), count: 3))
    }

    @Test func curvesOfFloatingPointNumbersAreTheSameCurves() throws {
        let unit = Self.unit({ Self.dualLayer(&$0); $0.coefficientDataType = 1; $0.coefficientLog2Denominator = 0 }, layer: Self.full)
        let mapping = try #require(try unit.converted(to: .profile81).mapping)
        #expect(mapping.curves[1].coefficients.map { Float(bitPattern: $0.fraction) } == [0, 1])
        let minimal = try unit.converted(to: .minimalEnhancementLayer)
        #expect(minimal.enhancementLayer == .minimal)
        #expect(minimal.mapping?.inverseQuantization?.components.map { Float(bitPattern: $0.maximum.fraction) } == [1, 1, 1])
    }

    @Test func profile84HasTheOneMappingAndReadsAgainHoweverItsPayloadIsCoded() throws {
        let plain = Self.unit { $0.coefficientLog2Denominator = 14; $0.enhancementLayerBitDepthMinus8 = 0x2502 }
        for unit in [plain, Self.unit { $0.reservedZero3Bits = 1 }, Self.unit(Self.profile5), Self.unit(Self.dualLayer, layer: Self.full)] {
            let converted = try unit.converted(to: .profile84)
            #expect(converted.mapping == .profile84)
            #expect(try ReferenceProcessingUnit(parsing: converted.hevcNALUnit()) == converted)
        }
        var bare = plain
        bare.displayManagement = nil
        #expect(try ReferenceProcessingUnit(parsing: bare.converted(to: .profile84).hevcNALUnit()).displayManagement == nil)
    }

    @Test func curvesOfAnEarlierUnitStayReferredTo() throws {
        var unit = Self.unit(Self.dualLayer, layer: Self.full)
        unit.reshaping = .previous(id: 2)
        #expect(try unit.converted(to: .profile81).reshaping == .previous(id: 2))
        #expect(try unit.converted(to: .minimalEnhancementLayer) == unit)
        #expect(try unit.converted(to: .profile84).mapping == .profile84)
    }

    @Test func profilesWithoutAConversionAreRefused() {
        let profile4 = Self.unit { Self.dualLayer(&$0); $0.vdrBitDepthMinus8 = 6 }
        for unit in [profile4, Self.unit { $0.baseLayerBitDepthMinus8 = 0 }, Self.unit { $0.vdrRPUProfile = 3 }] {
            #expect(throws: ParseError.self) { try unit.converted(to: .profile81) }
            #expect(throws: ParseError.self) { try unit.converted(to: .minimalEnhancementLayer) }
        }
        #expect(throws: ParseError.self) { try Self.unit(Self.profile5).converted(to: .minimalEnhancementLayer) }
        #expect(throws: ParseError.self) { try Self.unit { $0.vdrBitDepthMinus8 = 6 }.converted(to: .minimalEnhancementLayer) }
        #expect(throws: ParseError.self) { try Self.unit { $0.baseLayerBitDepthMinus8 = 0 }.converted(to: .profile84) }
    }

    @Test func anEmptyListBeforeAByteNobodyKnowsIsConvertedToSomethingReadable() throws {
        var random = SeededRandom(seed: 3)
        var read = 0
        for _ in 0..<400 {
            var made = SyntheticUnit.random(&random)
            made.displayManagement?.version4Blocks = ExtensionMetadataBlocks()
            made.dataBeforeChecksum = [1]
            // Most begin where the list is none.
            guard let unit = try? ReferenceProcessingUnit(parsingUnit: made.serialized()[...]) else { continue }
            for target in ReferenceProcessingUnit.Target.allCases {
                guard let converted = try? unit.converted(to: target) else { continue }
                #expect(try ReferenceProcessingUnit(parsingUnit: converted.serialized()[...]).serialized() == converted.serialized())
                read += 1
            }
        }
        #expect(read > 20)
    }
}
