internal import BitsAndTime

/// Non-linear inverse quantization of the enhancement layer's residual, by the linear dead-zone method (ETSI GS CCM 001 V1.1.1, rpu_data_nlq()).
package struct InverseQuantization: Sendable, Equatable {
    package struct Component: Sendable, Equatable {
        /// Of the enhancement layer's bit depth.
        package var offset: UInt16
        package var maximum: Coefficient
        package var deadZoneSlope: Coefficient
        package var deadZoneThreshold: Coefficient

        package init(offset: UInt16, maximum: Coefficient, deadZoneSlope: Coefficient, deadZoneThreshold: Coefficient) {
            self.offset = offset
            self.maximum = maximum
            self.deadZoneSlope = deadZoneSlope
            self.deadZoneThreshold = deadZoneThreshold
        }

        fileprivate init(parsing bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
            offset = UInt16(try bits.readBits(header.enhancementLayerBitDepth))
            maximum = try Coefficient(parsingUnsigned: &bits, header: header)
            deadZoneSlope = try Coefficient(parsingUnsigned: &bits, header: header)
            deadZoneThreshold = try Coefficient(parsingUnsigned: &bits, header: header)
        }
    }

    package var components: [Component]

    package init(components: [Component]) { self.components = components }

    /// What a minimal enhancement layer has: nothing is added, whatever its pictures hold.
    package static func minimal(_ header: RPUDataHeader) -> InverseQuantization {
        InverseQuantization(components: Array(repeating: Component(offset: 0, maximum: .one(header), deadZoneSlope: .zero, deadZoneThreshold: .zero), count: 3))
    }

    /// nlq_method_idc and nlq_pred_pivot_value, which stand before the partitions.
    static func readPivots(_ bits: inout BitReader, bitDepth: Int) throws(ParseError) {
        let method = try bits.readBits(3)
        guard method == 0 else { throw ParseError(.unsupported, at: bits.bitOffset / 8, in: "rpu.nlq_method_idc", "\(method)") }
        let (first, span) = (try bits.readBits(bitDepth), try bits.readBits(bitDepth))
        guard first == 0, span == (1 << bitDepth) - 1 else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.nlq_pred_pivot_value", "\(first) and \(span) are not the base layer's range")
        }
    }

    static func writePivots(_ bits: inout BitWriter, bitDepth: Int) {
        bits.writeBits(0, 3 + bitDepth)
        bits.writeBits((1 << bitDepth) - 1, bitDepth)
    }

    init(parsing bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
        components = []
        components.reserveCapacity(3)
        for _ in 0..<3 { components.append(try Component(parsing: &bits, header: header)) }
    }

    func serialize(into bits: inout BitWriter, header: RPUDataHeader) {
        for component in components {
            bits.writeBits(component.offset, header.enhancementLayerBitDepth)
            component.maximum.serializeUnsigned(into: &bits, header: header)
            component.deadZoneSlope.serializeUnsigned(into: &bits, header: header)
            component.deadZoneThreshold.serializeUnsigned(into: &bits, header: header)
        }
    }
}
