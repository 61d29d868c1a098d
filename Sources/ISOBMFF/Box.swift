package import BitsAndTime

/// One box as it lies in its container: type, content, and where.
package struct Box: Sendable, Equatable {
    package let type: FourCharacterCode
    /// Content without the header.
    package let payload: ArraySlice<UInt8>
    /// Byte offset of the box's header from the start of the bytes that were walked.
    package let offset: Int
    package let headerByteCount: Int

    /// Reads the boxes lying side by side in `bytes`.
    ///
    /// - Throws: `ParseError` for a size that is smaller than its header or runs past the end.
    package static func sequence(in bytes: ArraySlice<UInt8>, context: String = "") throws(ParseError) -> [Box] {
        var boxes: [Box] = []
        var reader = ByteReader(bytes, context: context)
        while !reader.isAtEnd {
            let start = reader.offset
            var size = UInt64(try reader.readUInt32())
            let type = FourCharacterCode(try reader.readUInt32())
            if size == 1 {
                size = try reader.readUInt64()
            } else if size == 0 {
                size = UInt64(bytes.count - start)
            }
            let header = reader.offset - start
            guard size >= UInt64(header), size - UInt64(header) <= UInt64(reader.remaining) else {
                throw ParseError(.malformed, at: start, in: context, "box \(type) of \(size) bytes, \(bytes.count - start) left (ISO/IEC 14496-12 §4.2)")
            }
            boxes.append(Box(type: type, payload: try reader.readBytes(Int(size) - header), offset: start, headerByteCount: header))
        }
        return boxes
    }

    /// The boxes inside this one, skipping `prefix` bytes of its own fields.
    package func children(after prefix: Int = 0, context: String) throws(ParseError) -> [Box] {
        guard payload.count >= prefix else {
            throw ParseError(.truncated, at: offset, in: context, "\(payload.count) bytes where \(prefix) come before the first child")
        }
        do throws(ParseError) {
            return try Box.sequence(in: payload.dropFirst(prefix), context: "")
        } catch {
            throw error.nested(in: context, base: offset + headerByteCount + prefix)
        }
    }

    /// A reader over the content, with errors named after the box.
    package func reader() -> ByteReader { ByteReader(payload, context: "\(type)") }
}

/// A box kept as it was found.
package struct RawBox: Sendable, Equatable {
    package let type: FourCharacterCode
    package let payload: [UInt8]

    package init(type: FourCharacterCode, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    package init(_ box: Box) { self.init(type: box.type, payload: Array(box.payload)) }

    package func serialize(into writer: inout ByteWriter) { writer.writeBox(type) { $0.write(contentsOf: payload) } }
}

extension ByteWriter {
    /// Writes a box header, what `content` writes, and then the size of both.
    package mutating func writeBox(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
        let start = count
        write(0 as UInt32)
        write(type.rawValue)
        content(&self)
        patchUInt32(UInt32(clamping: count - start), at: start)
    }

    /// The same for a FullBox (§4.2.2).
    package mutating func writeFullBox(_ type: FourCharacterCode, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void) {
        writeBox(type) {
            $0.write(UInt32(version) << 24 | flags & 0xFF_FFFF)
            content(&$0)
        }
    }
}

extension ByteReader {
    /// Version and flags of a FullBox.
    package mutating func readFullBoxHeader() throws(ParseError) -> (version: UInt8, flags: UInt32) {
        let word = try readUInt32()
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }
}

extension [Box] {
    package func first(_ type: FourCharacterCode) -> Box? { first { $0.type == type } }

    /// The box of this type, which the standard requires here.
    package func required(_ type: FourCharacterCode, in context: String) throws(ParseError) -> Box {
        guard let box = first(type) else { throw ParseError(.malformed, at: 0, in: context, "no \(type)") }
        return box
    }
}
