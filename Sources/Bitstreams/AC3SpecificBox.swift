package import BitsAndTime

/// Content of a `dac3` box, three bytes (ETSI TS 102 366 V1.4.1 §F.4).
package struct AC3SpecificBox: Sendable, Equatable {
    package var fscod: UInt8
    package var bsid: UInt8
    package var bsmod: UInt8
    package var acmod: UInt8
    package var hasLFE: Bool
    /// frmsizecod without its last bit.
    package var bitRateCode: UInt8

    package init(_ frame: AC3Syncframe) {
        (fscod, bsid, bsmod, acmod) = (frame.fscod, frame.bsid, frame.bsmod, frame.acmod)
        hasLFE = frame.hasLFE
        bitRateCode = frame.frameSizeCode >> 1
    }

    /// Reserved bits are not kept; they are written as zeros.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var bits = BitReader(bytes, context: "dac3")
        fscod = UInt8(try bits.readBits(2))
        bsid = UInt8(try bits.readBits(5))
        bsmod = UInt8(try bits.readBits(3))
        acmod = UInt8(try bits.readBits(3))
        hasLFE = try bits.readFlag()
        bitRateCode = UInt8(try bits.readBits(5))
        try bits.skipBits(5)
    }

    package func serialized() -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(fscod, 2)
        bits.writeBits(bsid, 5)
        bits.writeBits(bsmod, 3)
        bits.writeBits(acmod, 3)
        bits.writeFlag(hasLFE)
        bits.writeBits(bitRateCode, 5)
        bits.writeBits(0, 5)
        return bits.bytes
    }
}
