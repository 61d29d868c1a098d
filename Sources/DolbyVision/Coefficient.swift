internal import BitsAndTime

/// A number of the mapping: an integer and a fraction of ``RPUDataHeader/coefficientLog2Denominator`` bits, or the bits of a single-precision number.
package struct Coefficient: Sendable, Equatable {
    /// 0 where numbers are floating-point.
    package var integer: Int32
    /// Added to the integer, whatever its sign; or all 32 bits of the floating-point number.
    package var fraction: UInt32

    package init(integer: Int32, fraction: UInt32) {
        self.integer = integer
        self.fraction = fraction
    }

    package static let zero = Coefficient(integer: 0, fraction: 0)

    package static func one(_ header: RPUDataHeader) -> Coefficient {
        header.hasIntegerParts ? Coefficient(integer: 1, fraction: 0) : Coefficient(integer: 0, fraction: Float(1).bitPattern)
    }

    /// With the integer as `se(v)`.
    init(parsing bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
        integer = header.hasIntegerParts ? try bits.readSE() : 0
        fraction = UInt32(truncatingIfNeeded: try bits.readBits(header.coefficientBitCount))
    }

    /// With the integer as `ue(v)`.
    init(parsingUnsigned bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
        let whole = header.hasIntegerParts ? try bits.readUE() : 0
        guard let integer = Int32(exactly: whole) else { throw ParseError(.limitExceeded, at: bits.bitOffset / 8, in: "rpu", "integer part \(whole)") }
        self.integer = integer
        fraction = UInt32(truncatingIfNeeded: try bits.readBits(header.coefficientBitCount))
    }

    func serialize(into bits: inout BitWriter, header: RPUDataHeader) {
        if header.hasIntegerParts { bits.writeSE(integer) }
        bits.writeBits(fraction, header.coefficientBitCount)
    }

    func serializeUnsigned(into bits: inout BitWriter, header: RPUDataHeader) {
        if header.hasIntegerParts { bits.writeUE(UInt32(bitPattern: integer)) }
        bits.writeBits(fraction, header.coefficientBitCount)
    }
}
