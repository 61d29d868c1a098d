package import BitsAndTime

/// palette_definition_segment: colours by index. An index nothing defined is transparent.
package struct PGSPalette: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var index: UInt8
        package var colour: CodedColour

        package init(index: UInt8, colour: CodedColour) {
            self.index = index
            self.colour = colour
        }
    }

    package var id: UInt8
    package var version: UInt8
    package var entries: [Entry]

    package init(id: UInt8 = 0, version: UInt8 = 0, entries: [Entry]) {
        self.id = id
        self.version = version
        self.entries = entries
    }

    /// - Throws: `.malformed` for a length that is no whole number of entries: bytes are missing, and every colour behind them would be another's.
    package init(_ payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "pgs.palette")
        id = try reader.readUInt8()
        version = try reader.readUInt8()
        guard reader.remaining % 5 == 0 else {
            throw ParseError(.malformed, at: reader.offset, in: reader.context, "\(reader.remaining) bytes of entries, which have 5 each")
        }
        entries = []
        while !reader.isAtEnd {
            let index = try reader.readUInt8()
            entries.append(
                Entry(
                    index: index,
                    colour: CodedColour(
                        luma: try reader.readUInt8(), cr: try reader.readUInt8(), cb: try reader.readUInt8(), alpha: try reader.readUInt8())))
        }
    }

    package var segment: PGSSegment {
        var writer = ByteWriter()
        writer.write(id)
        writer.write(version)
        for entry in entries {
            for value in [entry.index, entry.colour.luma, entry.colour.cr, entry.colour.cb, entry.colour.alpha] { writer.write(value) }
        }
        return PGSSegment(.palette, writer.bytes)
    }
}
