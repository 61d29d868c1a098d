package import BitsAndTime

/// vdr_rpu_data_payload(): the curves that map the base layer, and what the enhancement layer's residual is scaled by.
///
/// ETSI GS CCM 001 V1.1.1. Whatever the numbers of partitions say, one set of curves follows.
package struct RPUDataMapping: Sendable, Equatable {
    package var vdrRPUID: UInt32
    package var colourSpace: UInt32
    package var chromaFormatIDC: UInt32
    package var partitionsAcrossMinus1: UInt32
    package var partitionsDownMinus1: UInt32
    /// Luma and both chroma components: three.
    package var curves: [ReshapingCurve]
    /// There exactly when ``RPUDataHeader/isResidualDisabled`` is false.
    package var inverseQuantization: InverseQuantization?

    package init(
        vdrRPUID: UInt32 = 0, colourSpace: UInt32 = 0, chromaFormatIDC: UInt32 = 0, partitionsAcrossMinus1: UInt32 = 0, partitionsDownMinus1: UInt32 = 0,
        curves: [ReshapingCurve], inverseQuantization: InverseQuantization? = nil
    ) {
        self.vdrRPUID = vdrRPUID
        self.colourSpace = colourSpace
        self.chromaFormatIDC = chromaFormatIDC
        self.partitionsAcrossMinus1 = partitionsAcrossMinus1
        self.partitionsDownMinus1 = partitionsDownMinus1
        self.curves = curves
        self.inverseQuantization = inverseQuantization
    }

    package init(parsing bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
        vdrRPUID = try bits.readUE()
        colourSpace = try bits.readUE()
        chromaFormatIDC = try bits.readUE()
        curves = []
        curves.reserveCapacity(3)
        for _ in 0..<3 { curves.append(try ReshapingCurve(parsingPivots: &bits, bitDepth: header.baseLayerBitDepth)) }
        if !header.isResidualDisabled { try InverseQuantization.readPivots(&bits, bitDepth: header.baseLayerBitDepth) }
        partitionsAcrossMinus1 = try bits.readUE()
        partitionsDownMinus1 = try bits.readUE()
        for component in 0..<3 { try curves[component].parsePieces(&bits, header: header) }
        inverseQuantization = header.isResidualDisabled ? nil : try InverseQuantization(parsing: &bits, header: header)
    }

    /// An inverse quantization that is missing where the header calls for one is written as the minimal one.
    package func serialize(into bits: inout BitWriter, header: RPUDataHeader) {
        bits.writeUE(vdrRPUID)
        bits.writeUE(colourSpace)
        bits.writeUE(chromaFormatIDC)
        for curve in curves { curve.serializePivots(into: &bits, bitDepth: header.baseLayerBitDepth) }
        if !header.isResidualDisabled { InverseQuantization.writePivots(&bits, bitDepth: header.baseLayerBitDepth) }
        bits.writeUE(partitionsAcrossMinus1)
        bits.writeUE(partitionsDownMinus1)
        for curve in curves { curve.serializePieces(into: &bits, header: header) }
        if !header.isResidualDisabled { (inverseQuantization ?? .minimal(header)).serialize(into: &bits, header: header) }
    }
}
