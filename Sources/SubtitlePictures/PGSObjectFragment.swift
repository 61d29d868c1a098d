package import BitsAndTime

/// object_definition_segment: an object's run lengths, or a part of them where they do not fit one segment.
package struct PGSObjectFragment: Sendable, Equatable {
    /// Known from the first fragment only.
    package struct Header: Sendable, Equatable {
        /// object_data_length: of all fragments, with the four bytes of the size.
        package var dataLength: UInt32
        /// In pixels.
        package var width: UInt16
        package var height: UInt16
    }

    package var id: UInt16
    package var version: UInt8
    /// first_in_sequence_flag (0x80), last_in_sequence_flag (0x40), six reserved bits.
    package var sequence: UInt8
    package var header: Header?
    package var data: ArraySlice<UInt8>

    package var isFirst: Bool { sequence & 0x80 != 0 }
    package var isLast: Bool { sequence & 0x40 != 0 }

    package init(_ payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "pgs.object")
        id = try reader.readUInt16()
        version = try reader.readUInt8()
        sequence = try reader.readUInt8()
        if sequence & 0x80 != 0 {
            header = Header(dataLength: try reader.readUInt24(), width: try reader.readUInt16(), height: try reader.readUInt16())
        }
        data = reader.readRemaining()
    }

    private init(id: UInt16, version: UInt8, sequence: UInt8, header: Header?, data: ArraySlice<UInt8>) {
        (self.id, self.version, self.sequence, self.header, self.data) = (id, version, sequence, header, data)
    }

    package var segment: PGSSegment {
        var writer = ByteWriter()
        writer.write(id)
        writer.write(version)
        writer.write(sequence)
        if let header {
            writer.writeInteger(UInt64(header.dataLength & 0xFF_FFFF), byteCount: 3)
            writer.write(header.width)
            writer.write(header.height)
        }
        writer.write(contentsOf: data)
        return PGSSegment(.object, writer.bytes)
    }

    /// An object cut into fragments that fit their segments.
    package static func fragments(id: UInt16, version: UInt8 = 0, width: UInt16, height: UInt16, runLengths: [UInt8], atMost limit: Int = 0xFFE4) -> [PGSObjectFragment] {
        var rest = runLengths[...]
        var fragments: [PGSObjectFragment] = []
        repeat {
            let isFirst = fragments.isEmpty
            let part = rest.prefix(max(1, limit))
            rest = rest.dropFirst(part.count)
            fragments.append(
                PGSObjectFragment(
                    id: id, version: version, sequence: (isFirst ? 0x80 : 0) | (rest.isEmpty ? 0x40 : 0),
                    header: isFirst ? Header(dataLength: UInt32(truncatingIfNeeded: runLengths.count + 4), width: width, height: height) : nil, data: part))
        } while !rest.isEmpty
        return fragments
    }

    package static func == (a: PGSObjectFragment, b: PGSObjectFragment) -> Bool {
        a.id == b.id && a.version == b.version && a.sequence == b.sequence && a.header == b.header && a.data.elementsEqual(b.data)
    }
}
