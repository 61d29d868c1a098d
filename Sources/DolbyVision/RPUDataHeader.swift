package import BitsAndTime

/// rpu_data_header() up to the flags that say what follows it (ETSI GS CCM 001 V1.1.1).
package struct RPUDataHeader: Sendable, Equatable {
    /// 11 bits: 18. The last bit may differ; the first ten are part of the bytes 19 08 09 by which a unit is known.
    package var rpuFormat: UInt16
    /// 0 for profile 5, 1 for all later ones.
    package var vdrRPUProfile: UInt8
    package var isChromaResamplingFilterExplicit: Bool
    /// 0: integer and fraction parts apart; 1: IEEE 754 single precision.
    package var coefficientDataType: UInt8
    /// Bits of a coefficient's fraction, up to 23; of no meaning for the floating-point type.
    package var coefficientLog2Denominator: UInt8
    package var vdrRPUNormalizedIDC: UInt8
    package var isBaseLayerFullRange: Bool
    /// 2, or 0 in profile 9.
    package var baseLayerBitDepthMinus8: UInt8
    /// The depth in the low eight bits, ext_mapping_idc above them.
    package var enhancementLayerBitDepthMinus8: UInt32
    package var vdrBitDepthMinus8: UInt8
    package var hasSpatialResamplingFilter: Bool
    /// reserved_zero_3bits; 1 says that the display management payload has no colour transforms.
    package var reservedZero3Bits: UInt8
    package var hasEnhancementLayerSpatialResamplingFilter: Bool
    /// Whether nothing is added to the mapped base layer: no enhancement layer.
    package var isResidualDisabled: Bool

    /// What profiles 8.x have.
    package static let profile8 = RPUDataHeader(
        rpuFormat: 18, vdrRPUProfile: 1, isChromaResamplingFilterExplicit: false, coefficientDataType: 0, coefficientLog2Denominator: 23,
        vdrRPUNormalizedIDC: 1, isBaseLayerFullRange: false, baseLayerBitDepthMinus8: 2, enhancementLayerBitDepthMinus8: 2, vdrBitDepthMinus8: 4,
        hasSpatialResamplingFilter: false, reservedZero3Bits: 0, hasEnhancementLayerSpatialResamplingFilter: false, isResidualDisabled: true)

    var hasIntegerParts: Bool { coefficientDataType == 0 }
    /// Bits of a coefficient's fraction, or of the whole of it.
    var coefficientBitCount: Int { hasIntegerParts ? Int(coefficientLog2Denominator) : 32 }
    package var baseLayerBitDepth: Int { 8 + Int(baseLayerBitDepthMinus8) }
    package var enhancementLayerBitDepth: Int { 8 + Int(enhancementLayerBitDepthMinus8 & 0xFF) }
    package var displayManagementIsCompressed: Bool { reservedZero3Bits == 1 }
}

extension RPUDataHeader {
    /// Reads from rpu_type to disable_residual_flag.
    package init(parsing bits: inout BitReader) throws(ParseError) {
        let type = try bits.readBits(6)
        rpuFormat = UInt16(try bits.readBits(11))
        guard type == 2, rpuFormat >> 1 == 9 else { throw Self.unsupported("rpu_type \(type), rpu_format \(rpuFormat)", bits) }
        vdrRPUProfile = UInt8(try bits.readBits(4))
        let level = try bits.readBits(4)
        guard level == 0 else { throw Self.unsupported("vdr_rpu_level \(level)", bits) }
        // Without the sequence's facts nothing behind them can be read.
        guard try bits.readFlag() else { throw Self.unsupported("no vdr_seq_info", bits) }
        isChromaResamplingFilterExplicit = try bits.readFlag()
        coefficientDataType = UInt8(try bits.readBits(2))
        guard coefficientDataType <= 1 else { throw Self.unsupported("coefficient_data_type \(coefficientDataType)", bits) }
        let denominator = coefficientDataType == 0 ? try bits.readUE() : 0
        guard denominator <= 23 else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu", "coefficient_log2_denom \(denominator)") }
        coefficientLog2Denominator = UInt8(denominator)
        vdrRPUNormalizedIDC = UInt8(try bits.readBits(2))
        isBaseLayerFullRange = try bits.readFlag()
        let baseDepth = try bits.readUE()
        enhancementLayerBitDepthMinus8 = try bits.readUE()
        let vdrDepth = try bits.readUE()
        guard enhancementLayerBitDepthMinus8 & 0xFF <= 8, vdrDepth <= 8 else {
            throw Self.unsupported("bit depths 8 + \(enhancementLayerBitDepthMinus8 & 0xFF) and 8 + \(vdrDepth)", bits)
        }
        vdrBitDepthMinus8 = UInt8(vdrDepth)
        hasSpatialResamplingFilter = try bits.readFlag()
        reservedZero3Bits = UInt8(try bits.readBits(3))
        hasEnhancementLayerSpatialResamplingFilter = try bits.readFlag()
        isResidualDisabled = try bits.readFlag()
        // Ten bits everywhere, eight in profile 9 alone, which has no second layer.
        guard baseDepth == 2 || (baseDepth == 0 && vdrRPUProfile == 1 && isResidualDisabled) else {
            throw Self.unsupported("a base layer of 8 + \(baseDepth) bits", bits)
        }
        baseLayerBitDepthMinus8 = UInt8(baseDepth)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(2, 6)
        bits.writeBits(rpuFormat, 11)
        bits.writeBits(vdrRPUProfile, 4)
        bits.writeBits(0, 4)
        bits.writeFlag(true)
        bits.writeFlag(isChromaResamplingFilterExplicit)
        bits.writeBits(coefficientDataType, 2)
        if hasIntegerParts { bits.writeUE(UInt32(coefficientLog2Denominator)) }
        bits.writeBits(vdrRPUNormalizedIDC, 2)
        bits.writeFlag(isBaseLayerFullRange)
        bits.writeUE(UInt32(baseLayerBitDepthMinus8))
        bits.writeUE(enhancementLayerBitDepthMinus8)
        bits.writeUE(UInt32(vdrBitDepthMinus8))
        bits.writeFlag(hasSpatialResamplingFilter)
        bits.writeBits(reservedZero3Bits, 3)
        bits.writeFlag(hasEnhancementLayerSpatialResamplingFilter)
        bits.writeFlag(isResidualDisabled)
    }

    private static func unsupported(_ what: String, _ bits: BitReader) -> ParseError {
        ParseError(.unsupported, at: bits.bitOffset / 8, in: "rpu", what)
    }
}
