package import BitsAndTime

/// A Dolby Vision reference processing unit: how one picture of the base layer is composed and mapped to a display.
///
/// Reads and writes the bare unit: from rpu_nal_prefix (19) to the closing 80 and the zeros behind it, without emulation prevention.
/// The forms in which streams carry it are in the extensions. Law: ``serialized()`` of what was parsed are the bytes that were parsed.
///
/// ETSI GS CCM 001 V1.1.1, rpu_data(); SMPTE ST 2094-10:2016 for the metadata in it.
package struct ReferenceProcessingUnit: Sendable, Equatable {
    /// Where this picture's curves come from.
    package enum Reshaping: Sendable, Equatable {
        /// use_prev_vdr_rpu_flag: from the unit with this vdr_rpu_id, sent before.
        case previous(id: UInt32)
        case own(RPUDataMapping)
    }

    package var header: RPUDataHeader
    package var reshaping: Reshaping
    /// `nil`: vdr_dm_metadata_present_flag is 0.
    package var displayManagement: DisplayManagementPayload?
    /// Bytes that no syntax accounts for, between the metadata and the checksum; as found.
    package var dataBeforeChecksum: [UInt8] = []
    /// Zero bytes behind the closing 80.
    package var trailingZeroCount = 0

    package init(header: RPUDataHeader, reshaping: Reshaping, displayManagement: DisplayManagementPayload?) {
        self.header = header
        self.reshaping = reshaping
        self.displayManagement = displayManagement
    }

    /// This picture's own curves.
    package var mapping: RPUDataMapping? {
        if case .own(let mapping) = reshaping { return mapping }
        return nil
    }

    private static let prefix: UInt8 = 0x19
    private static let closing: UInt8 = 0x80

    /// - Parameter unit: From the byte 19 on, emulation prevention taken out.
    /// - Throws: `.truncated`, `.malformed` (the checksum too), `.unsupported` for what no Dolby Vision profile uses.
    package init(parsingUnit unit: ArraySlice<UInt8>) throws(ParseError) {
        var end = unit.endIndex
        while end > unit.startIndex, unit[end - 1] == 0 { end -= 1 }
        // The three bytes, type, format and checksum are the least there can be.
        guard end - unit.startIndex >= 8 else { throw ParseError(.truncated, at: unit.count, in: "rpu", "\(end - unit.startIndex) bytes") }
        guard unit[unit.startIndex] == Self.prefix else { throw ParseError(.malformed, at: 0, in: "rpu", "no rpu_nal_prefix") }
        guard unit[end - 1] == Self.closing else { throw ParseError(.malformed, at: end - 1 - unit.startIndex, in: "rpu", "does not close with 80") }
        let body = unit[..<(end - 5)]
        let wanted = unit[(end - 5)..<(end - 1)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let checksum = RPUChecksum.of(body.dropFirst())
        guard checksum == wanted else {
            throw ParseError(.malformed, at: end - 5 - unit.startIndex, in: "rpu.rpu_data_crc32", "\(wanted), computed \(checksum)")
        }
        trailingZeroCount = unit.endIndex - end

        var bits = BitReader(body, context: "rpu")
        try bits.skipBits(8)
        header = try RPUDataHeader(parsing: &bits)
        let hasDisplayManagement = try bits.readFlag()
        if try bits.readFlag() {
            reshaping = .previous(id: try bits.readUE())
        } else {
            reshaping = .own(try RPUDataMapping(parsing: &bits, header: header))
        }
        displayManagement = hasDisplayManagement ? try DisplayManagementPayload(parsing: &bits, isCompressed: header.displayManagementIsCompressed) : nil
        try bits.readAlignment()
        dataBeforeChecksum = Array(body[(body.startIndex + bits.bitOffset / 8)...])
    }

    /// The bare unit, its checksum computed.
    package func serialized() -> [UInt8] {
        var bits = BitWriter(reservingCapacity: 512)
        bits.writeBits(Self.prefix, 8)
        header.serialize(into: &bits)
        bits.writeFlag(displayManagement != nil)
        switch reshaping {
        case .previous(let id):
            bits.writeFlag(true)
            bits.writeUE(id)
        case .own(let mapping):
            bits.writeFlag(false)
            mapping.serialize(into: &bits, header: header)
        }
        displayManagement?.serialize(into: &bits, isCompressed: header.displayManagementIsCompressed)
        bits.alignToByte()
        for byte in dataBeforeChecksum { bits.writeBits(byte, 8) }
        bits.writeBits(RPUChecksum.of(bits.bytes.dropFirst()), 32)
        bits.writeBits(Self.closing, 8)
        for _ in 0..<trailingZeroCount { bits.writeBits(0, 8) }
        return bits.bytes
    }
}

extension BitReader {
    /// Zero bits up to the next whole byte, where the syntax has them.
    mutating func readAlignment() throws(ParseError) {
        let place = bitOffset / 8
        guard try readBits((8 - bitOffset % 8) % 8) == 0 else { throw ParseError(.malformed, at: place, in: context, "an alignment bit is not zero") }
    }
}
