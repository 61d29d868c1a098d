import DolbyVision
import TestSupport

/// Units with every structure there is, the same for the same seed.
enum SyntheticUnit {
    static func random(_ random: inout SeededRandom) -> ReferenceProcessingUnit {
        var header = RPUDataHeader.profile8
        let kind = Int.random(in: 0...4, using: &random)
        if kind == 0 { (header.vdrRPUProfile, header.isBaseLayerFullRange) = (0, true) }
        if kind == 1 || kind == 2 { (header.isResidualDisabled, header.hasEnhancementLayerSpatialResamplingFilter) = (false, Bool.random(using: &random)) }
        if kind == 3 { (header.baseLayerBitDepthMinus8, header.enhancementLayerBitDepthMinus8) = (0, 0) }
        if Int.random(in: 0...9, using: &random) == 0 { header.coefficientDataType = 1; header.coefficientLog2Denominator = 0 }
        if header.coefficientDataType == 0 { header.coefficientLog2Denominator = [14, 20, 23].randomElement(using: &random) ?? 23 }
        if Int.random(in: 0...5, using: &random) == 0 { header.enhancementLayerBitDepthMinus8 |= UInt32.random(in: 0...0xFF, using: &random) << 8 }
        if Int.random(in: 0...7, using: &random) == 0 { header.vdrBitDepthMinus8 = 6 }
        if Int.random(in: 0...7, using: &random) == 0 { header.reservedZero3Bits = UInt8.random(in: 1...7, using: &random) }
        var mapping = RPUDataMapping(curves: (0..<3).map { _ in curve(header, &random) })
        if Int.random(in: 0...3, using: &random) == 0 {
            mapping.vdrRPUID = 3
            mapping.partitionsAcrossMinus1 = 1
            mapping.partitionsDownMinus1 = .random(in: 0...9, using: &random)
        }
        if !header.isResidualDisabled {
            mapping.inverseQuantization = kind == 1 ? .minimal(header) : InverseQuantization(components: (0..<3).map { _ in
                .init(
                    offset: .random(in: 0...1023, using: &random), maximum: unsigned(header, &random), deadZoneSlope: unsigned(header, &random),
                    deadZoneThreshold: unsigned(header, &random))
            })
        }
        var unit = ReferenceProcessingUnit(
            header: header, reshaping: Int.random(in: 0...9, using: &random) == 0 ? .previous(id: .random(in: 0...9, using: &random)) : .own(mapping),
            displayManagement: Int.random(in: 0...9, using: &random) == 0 ? nil : displayManagement(header, &random))
        if Int.random(in: 0...7, using: &random) == 0 { unit.trailingZeroCount = .random(in: 1...4, using: &random) }
        if unit.displayManagement?.version4Blocks != nil, Int.random(in: 0...7, using: &random) == 0 { unit.dataBeforeChecksum = [1, 0, 0, 2] }
        return unit
    }

    /// With all three kinds of pieces.
    static func curve(_ header: RPUDataHeader, _ random: inout SeededRandom) -> ReshapingCurve {
        var curve = ReshapingCurve(pivots: [0], pieces: [], coefficients: [])
        for index in 0..<Int.random(in: 1...8, using: &random) {
            curve.pivots.append(.random(in: 1...31, using: &random))
            let kinds: [ReshapingCurve.Piece] = [
                .polynomial(order: 1), .polynomial(order: 2), .linearInterpolation, .multivariate(order: UInt8(index % 3) + 1),
            ]
            curve.pieces.append(kinds[Int.random(in: 0...3, using: &random)])
        }
        for (index, piece) in curve.pieces.enumerated() {
            for _ in 0..<curve.coefficientCount(at: index) {
                curve.coefficients.append(piece == .linearInterpolation ? unsigned(header, &random) : signed(header, &random))
            }
        }
        return curve
    }

    private static func unsigned(_ header: RPUDataHeader, _ random: inout SeededRandom) -> Coefficient {
        var number = signed(header, &random)
        number.integer = abs(number.integer)
        return number
    }

    private static func signed(_ header: RPUDataHeader, _ random: inout SeededRandom) -> Coefficient {
        if header.coefficientDataType == 1 { return Coefficient(integer: 0, fraction: .random(in: 0...UInt32.max, using: &random)) }
        return Coefficient(
            integer: .random(in: -60...60, using: &random), fraction: .random(in: 0..<(1 << UInt32(header.coefficientLog2Denominator)), using: &random))
    }

    private static func displayManagement(_ header: RPUDataHeader, _ random: inout SeededRandom) -> DisplayManagementPayload {
        var payload = DisplayManagementPayload(
            affectedMetadataID: .random(in: 0...15, using: &random), currentMetadataID: .random(in: 0...15, using: &random),
            sceneRefresh: .random(in: 0...1, using: &random), colour: header.displayManagementIsCompressed ? nil : .bt2020PQ)
        if payload.colour != nil, Bool.random(using: &random) {
            payload.colour?.yccToRGBCoefficients[1] = .random(in: Int16.min...Int16.max, using: &random)
            payload.colour?.yccToRGBOffsets[2] = .random(in: 0...UInt32.max, using: &random)
            payload.colour?.signalEOTF = 39322
            payload.colour?.signalEOTFParameter0 = 385
            payload.colour?.signalEOTFParameter2 = 1_383_604
            payload.colour?.signalColourSpace = 2
            payload.colour?.sourceMaximumPQ = .random(in: 0...4095, using: &random)
        }
        func twelve(_ random: inout SeededRandom) -> UInt16 { .random(in: 0...4095, using: &random) }
        if Bool.random(using: &random) {
            payload.blocks.append(Level1(minimumPQ: twelve(&random), maximumPQ: twelve(&random), averagePQ: twelve(&random)))
            payload.blocks.append(
                Level2(
                    targetMaximumPQ: twelve(&random), trimSlope: twelve(&random), trimOffset: 0, trimPower: 4095, trimChromaWeight: 2048,
                    trimSaturationGain: 2048, multiscaleWeight: .random(in: -4096...4095, using: &random)))
            payload.blocks.append(Level4(anchorPQ: twelve(&random), anchorPower: twelve(&random)))
            payload.blocks.append(Level5(left: 0, right: 8191, top: .random(in: 0...8191, using: &random), bottom: 276))
            payload.blocks.append(
                Level6(maximumDisplayLuminance: 1000, minimumDisplayLuminance: 1, maximumContentLightLevel: 1712, maximumFrameAverageLightLevel: 0xFFFF))
            payload.blocks.append(Level255(runMode: 1, runVersion: 2, debug0: 3, debug1: 4, debug2: 5, debug3: 6))
            payload.blocks.append(level: 77, payload: (0..<Int.random(in: 0...20, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
        guard Bool.random(using: &random) else { return payload }
        var later = ExtensionMetadataBlocks()
        later.append(Level3(minimumPQOffset: 2048, maximumPQOffset: twelve(&random), averagePQOffset: twelve(&random)))
        later.append(Level8(targetDisplayIndex: 1))
        later.append(Level8(targetDisplayIndex: 24, targetMidContrast: twelve(&random)))
        later.append(Level8(targetDisplayIndex: 25, trimSlope: twelve(&random), targetMidContrast: 2048, clipTrim: twelve(&random)))
        later.append(
            Level8(targetDisplayIndex: 27, targetMidContrast: 2048, clipTrim: 2048, saturationVector: [1, 2, 3, 4, 5, 255], hueVector: [6, 5, 4, 3, 2, 1]))
        later.append(Level9(sourcePrimaryIndex: 255, primaries: [1, 2, 3, 4, 5, 6, 7, 0xFFFF]))
        later.append(Level10(targetDisplayIndex: 1, targetMaximumPQ: twelve(&random), targetMinimumPQ: 0, targetPrimaryIndex: 2))
        later.append(Level10(targetDisplayIndex: 2, targetMaximumPQ: 3079, targetMinimumPQ: 7, targetPrimaryIndex: 255, primaries: Array(1...8)))
        later.append(Level11(contentType: 1, whitePoint: 0x10, reserved2: 0, reserved3: .random(in: 0...255, using: &random)))
        later.append(Level254(mode: 0, versionIndex: 2))
        payload.version4Blocks = later
        return payload
    }

    /// A unit of the given body, its checksum put right.
    static func sealed(_ body: some Sequence<UInt8>) -> [UInt8] {
        let body = Array(body)
        let checksum = RPUChecksum.of(body.dropFirst())
        return body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) } + [0x80]
    }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter(\.isHexDigit).map { UInt8($0.hexDigitValue ?? 0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
