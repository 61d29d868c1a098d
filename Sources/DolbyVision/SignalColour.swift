internal import BitsAndTime

/// The colour transforms and the signal's description in vdr_dm_data_payload() (ETSI GS CCM 001 V1.1.1).
package struct SignalColour: Sendable, Equatable {
    /// Nine, by rows, in units of 2⁻¹³.
    package var yccToRGBCoefficients: [Int16]
    /// Three, in units of 2⁻²⁸.
    package var yccToRGBOffsets: [UInt32]
    /// Nine, by rows, in units of 2⁻¹⁴.
    package var rgbToLMSCoefficients: [Int16]
    /// 65535: PQ.
    package var signalEOTF: UInt16
    package var signalEOTFParameter0: UInt16
    package var signalEOTFParameter1: UInt16
    package var signalEOTFParameter2: UInt32
    /// 5 bits.
    package var signalBitDepth: UInt8
    /// 0 YCbCr, 1 RGB, 2 IPT.
    package var signalColourSpace: UInt8
    package var signalChromaFormat: UInt8
    /// 0 narrow, 1 full, 2 SDI.
    package var signalFullRange: UInt8
    /// Twelve-bit PQ codes of the mastering display.
    package var sourceMinimumPQ: UInt16
    package var sourceMaximumPQ: UInt16
    /// In inches, 10 bits.
    package var sourceDiagonal: UInt16

    /// A BT.2020 signal in PQ, as every base layer of profile 8.1 is.
    package static let bt2020PQ = SignalColour(
        yccToRGBCoefficients: [9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0], yccToRGBOffsets: [1 << 24, 1 << 27, 1 << 27],
        rgbToLMSCoefficients: [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962], signalEOTF: 0xFFFF, signalEOTFParameter0: 0, signalEOTFParameter1: 0,
        signalEOTFParameter2: 0, signalBitDepth: 12, signalColourSpace: 0, signalChromaFormat: 0, signalFullRange: 1, sourceMinimumPQ: 7,
        sourceMaximumPQ: 3079, sourceDiagonal: 42)

    /// Sets the transforms and the colour space to BT.2020's; the source's own facts stay.
    package mutating func becomeBT2020() {
        let model = Self.bt2020PQ
        yccToRGBCoefficients = model.yccToRGBCoefficients
        yccToRGBOffsets = model.yccToRGBOffsets
        rgbToLMSCoefficients = model.rgbToLMSCoefficients
        signalColourSpace = model.signalColourSpace
    }
}

extension SignalColour {
    init(parsing bits: inout BitReader) throws(ParseError) {
        yccToRGBCoefficients = try Self.readNine(&bits)
        yccToRGBOffsets = [try bits.readUInt(32), try bits.readUInt(32), try bits.readUInt(32)]
        rgbToLMSCoefficients = try Self.readNine(&bits)
        signalEOTF = UInt16(try bits.readBits(16))
        signalEOTFParameter0 = UInt16(try bits.readBits(16))
        signalEOTFParameter1 = UInt16(try bits.readBits(16))
        signalEOTFParameter2 = try bits.readUInt(32)
        // Only a curve of its own has parameters, and it cannot do without.
        guard signalEOTF == 0xFFFF || signalEOTFParameter0 != 0 || signalEOTFParameter1 != 0 || signalEOTFParameter2 != 0 else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.signal_eotf", "\(signalEOTF) without parameters")
        }
        signalBitDepth = UInt8(try bits.readBits(5))
        signalColourSpace = UInt8(try bits.readBits(2))
        signalChromaFormat = UInt8(try bits.readBits(2))
        signalFullRange = UInt8(try bits.readBits(2))
        sourceMinimumPQ = UInt16(try bits.readBits(12))
        sourceMaximumPQ = UInt16(try bits.readBits(12))
        sourceDiagonal = UInt16(try bits.readBits(10))
    }

    func serialize(into bits: inout BitWriter) {
        for coefficient in yccToRGBCoefficients { bits.writeBits(coefficient, 16) }
        for offset in yccToRGBOffsets { bits.writeBits(offset, 32) }
        for coefficient in rgbToLMSCoefficients { bits.writeBits(coefficient, 16) }
        bits.writeBits(signalEOTF, 16)
        bits.writeBits(signalEOTFParameter0, 16)
        bits.writeBits(signalEOTFParameter1, 16)
        bits.writeBits(signalEOTFParameter2, 32)
        bits.writeBits(signalBitDepth, 5)
        bits.writeBits(signalColourSpace, 2)
        bits.writeBits(signalChromaFormat, 2)
        bits.writeBits(signalFullRange, 2)
        bits.writeBits(sourceMinimumPQ, 12)
        bits.writeBits(sourceMaximumPQ, 12)
        bits.writeBits(sourceDiagonal, 10)
    }

    private static func readNine(_ bits: inout BitReader) throws(ParseError) -> [Int16] {
        var values: [Int16] = []
        values.reserveCapacity(9)
        for _ in 0..<9 { values.append(Int16(truncatingIfNeeded: try bits.readBits(16))) }
        return values
    }
}
