package import BitsAndTime

/// Content of a `dec3` box (ETSI TS 102 366 V1.4.1 §F.6), with the extension of ETSI TS 103 420 V1.2.1 §8.3.2 that tells of object audio.
///
/// Without that extension a player takes the same frames for plain Dolby Digital Plus.
package struct EC3SpecificBox: Sendable, Equatable {
    package struct IndependentSubstream: Sendable, Equatable {
        package var fscod: UInt8
        package var bsid: UInt8
        package var isAssociatedService: Bool
        package var bsmod: UInt8
        package var acmod: UInt8
        package var hasLFE: Bool
        package var dependentCount: UInt8
        /// chan_loc, nine bits counted from the least significant: Lc/Rc, Lrs/Rrs, Cs, Ts, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Cvh, LFE2 (Table F.6.1).
        package var channelLocation: UInt16

        /// Channels of the substream and its dependents.
        package var channelCount: Int {
            let pairs = [0, 1, 4, 5, 6].reduce(0) { $0 + (channelLocation >> UInt16($1) & 1 == 1 ? 2 : 0) }
            let singles = [2, 3, 7, 8].reduce(0) { $0 + Int(channelLocation >> UInt16($1) & 1) }
            return [2, 1, 2, 3, 3, 4, 4, 5][Int(acmod & 7)] + (hasLFE ? 1 : 0) + pairs + singles
        }
    }

    /// kbit/s, 13 bits.
    package var dataRate: UInt16
    /// 1…8.
    package var substreams: [IndependentSubstream]
    /// Bytes behind the substreams: the extension, and whatever else; as found.
    package var trailing: [UInt8]

    /// complexity_index_type_a, 1…16 where flag_ec3_extension_type_a says so.
    package var jocComplexityIndex: Int? {
        guard trailing.count >= 2, trailing[0] & 1 == 1, trailing[1] > 0 else { return nil }
        return Int(trailing[1])
    }

    /// chanmap bits (0 the first) in the order of chan_loc.
    private static let locationBits = [5, 6, 7, 8, 9, 10, 11, 12, 14]

    package init(_ unit: EAC3AccessUnit) {
        // To the nearest: at 44.1 kHz frames alternate around the nominal rate, and the first may be a word short.
        dataRate = UInt16(min((unit.bitRate + 500) / 1000, 0x1FFF))
        substreams = unit.programs.prefix(8).map { program in
            let frame = program.independent
            var location: UInt16 = 0
            for map in program.dependents.compactMap(\.channelMap) {
                for (offset, bit) in Self.locationBits.enumerated() where map >> UInt16(15 - bit) & 1 == 1 { location |= 1 << UInt16(offset) }
            }
            return IndependentSubstream(
                fscod: frame.fscod, bsid: frame.bsid, isAssociatedService: false, bsmod: frame.bsmod, acmod: frame.acmod, hasLFE: frame.hasLFE,
                dependentCount: UInt8(min(program.dependents.count, 15)), channelLocation: location)
        }
        trailing = unit.jocComplexityIndex.map { [1, UInt8(clamping: $0)] } ?? []
    }

    /// Reserved bits of the substreams are not kept; they are written as zeros.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var bits = BitReader(bytes, context: "dec3")
        dataRate = UInt16(try bits.readBits(13))
        substreams = []
        for _ in 0...(try bits.readBits(3)) {
            let (fscod, bsid) = (UInt8(try bits.readBits(2)), UInt8(try bits.readBits(5)))
            try bits.skipBits(1)
            var substream = IndependentSubstream(
                fscod: fscod, bsid: bsid, isAssociatedService: try bits.readFlag(), bsmod: UInt8(try bits.readBits(3)), acmod: UInt8(try bits.readBits(3)),
                hasLFE: try bits.readFlag(), dependentCount: 0, channelLocation: 0)
            try bits.skipBits(3)
            substream.dependentCount = UInt8(try bits.readBits(4))
            if substream.dependentCount > 0 { substream.channelLocation = UInt16(try bits.readBits(9)) } else { try bits.skipBits(1) }
            substreams.append(substream)
        }
        trailing = Array(bytes[(bits.bitOffset / 8)...])
    }

    package func serialized() -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(dataRate, 13)
        bits.writeBits(max(min(substreams.count, 8), 1) - 1, 3)
        for substream in substreams.prefix(8) {
            bits.writeBits(substream.fscod, 2)
            bits.writeBits(substream.bsid, 5)
            bits.writeFlag(false)
            bits.writeFlag(substream.isAssociatedService)
            bits.writeBits(substream.bsmod, 3)
            bits.writeBits(substream.acmod, 3)
            bits.writeFlag(substream.hasLFE)
            bits.writeBits(0, 3)
            bits.writeBits(substream.dependentCount, 4)
            if substream.dependentCount > 0 { bits.writeBits(substream.channelLocation, 9) } else { bits.writeFlag(false) }
        }
        return bits.bytes + trailing
    }
}
