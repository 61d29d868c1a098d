package import BitsAndTime

/// Identifier and size in front of every EBML element.
///
/// Law: `serialize(parse(x)) == x`; the number of bytes the size was written in is kept, since writers pad it to patch it later.
/// RFC 8794 §4–§6.
package struct ElementHeader: Sendable, Equatable {
    package enum Size: Sendable, Equatable {
        /// Bytes of the payload, below 2⁵⁶.
        case known(Int64)
        /// Written by live muxers: the element ends where something begins that cannot be inside it.
        case unknown
    }

    /// Most bytes a header can take: 4 of identifier, 8 of size (EBMLMaxIDLength and EBMLMaxSizeLength of Matroska).
    package static let maximumByteCount = 12

    package let id: ElementID
    package let size: Size
    /// Bytes the size takes, 1…8.
    package let sizeByteCount: Int

    /// - Parameter sizeByteCount: raised where the size does not fit in it.
    package init(id: ElementID, size: Size, sizeByteCount: Int = 1) {
        self.id = id
        self.size = size
        var count = min(max(sizeByteCount, 1), 8)
        // All ones mean unknown, so the largest value of each length is one less.
        if case .known(let value) = size {
            while count < 8, (Int64(1) << Int64(7 * count)) - 2 < value { count += 1 }
        }
        self.sizeByteCount = count
    }

    /// Bytes of identifier and size together.
    package var byteCount: Int { Self.byteCount(of: id) + sizeByteCount }

    /// Payload bytes when they are known.
    package var payloadByteCount: Int64? {
        if case .known(let count) = size { count } else { nil }
    }

    package init(parsing reader: inout ByteReader) throws(ParseError) {
        let start = reader.offset
        let first = try reader.readUInt8()
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4 else { throw ParseError(.malformed, at: start, in: reader.context, "no identifier begins with \(first)") }
        var id = UInt32(first)
        for _ in 1..<idLength { id = id << 8 | UInt32(try reader.readUInt8()) }
        let idMask = (UInt32(1) << UInt32(7 * idLength)) - 1
        let data = id & idMask
        guard data != 0, data != idMask else {
            throw ParseError(.malformed, at: start, in: reader.context, "reserved identifier \(ElementID(rawValue: id))")
        }

        let sizeStart = reader.offset
        let sizeFirst = try reader.readUInt8()
        let sizeLength = sizeFirst.leadingZeroBitCount + 1
        guard sizeLength <= 8 else { throw ParseError(.malformed, at: sizeStart, in: reader.context, "size longer than 8 bytes") }
        var value = UInt64(sizeFirst)
        for _ in 1..<sizeLength { value = value << 8 | UInt64(try reader.readUInt8()) }
        let mask = (UInt64(1) << UInt64(7 * sizeLength)) - 1
        value &= mask
        self.id = ElementID(rawValue: id)
        size = value == mask ? .unknown : .known(Int64(value))
        sizeByteCount = sizeLength
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeInteger(UInt64(id.rawValue), byteCount: Self.byteCount(of: id))
        let mask = (UInt64(1) << UInt64(7 * sizeByteCount)) - 1
        let value: UInt64
        switch size {
        case .known(let count): value = UInt64(max(0, count)) & mask
        case .unknown: value = mask
        }
        writer.writeInteger((mask + 1) | value, byteCount: sizeByteCount)
    }

    private static func byteCount(of id: ElementID) -> Int { max(1, (39 - id.rawValue.leadingZeroBitCount) / 8) }
}
