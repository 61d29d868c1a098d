package import BitsAndTime

/// One level of display management metadata, read out of its block. PQ values are twelve-bit codes, 0…4095.
///
/// Bytes that a block has beyond the fields of its level are not kept here, only in ``ExtensionMetadataBlocks``.
///
/// SMPTE ST 2094-10:2016 and ETSI TS 103 572 V1.1.2. Content mapping 4.0's levels 8 to 11 and 254 are in no public document: they are as files have them.
package protocol ExtensionMetadataLevel: Sendable, Equatable {
    static var level: UInt8 { get }

    init(parsing bits: inout BitReader) throws(ParseError)

    func serialize(into bits: inout BitWriter)
}

extension ExtensionMetadataLevel {
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(payload, context: "level \(Self.level)")
        try self.init(parsing: &bits)
    }

    /// Content of the block, zero bits up to the whole byte included.
    package func payload() -> [UInt8] {
        var bits = BitWriter()
        serialize(into: &bits)
        return bits.bytes
    }
}

extension DisplayManagementPayload {
    /// The first block of that level; `nil` where there is none. The unit's parser has seen to it that a block holds its level's fields.
    package func first<Level: ExtensionMetadataLevel>(_ level: Level.Type) -> Level? {
        payload(ofLevel: level.level).flatMap { payload in do throws(ParseError) { return try Level(parsing: payload) } catch { return nil } }
    }

    /// All blocks of that level, in order.
    package func all<Level: ExtensionMetadataLevel>(_ level: Level.Type) -> [Level] {
        payloads(ofLevel: level.level).compactMap { payload in do throws(ParseError) { return try Level(parsing: payload) } catch { return nil } }
    }
}

extension BitReader {
    mutating func readUInt8(_ count: Int) throws(ParseError) -> UInt8 { UInt8(truncatingIfNeeded: try readBits(count)) }
    mutating func readUInt16(_ count: Int) throws(ParseError) -> UInt16 { UInt16(truncatingIfNeeded: try readBits(count)) }

    mutating func readArray(of elements: Int, bits: Int) throws(ParseError) -> [UInt16] {
        var values: [UInt16] = []
        values.reserveCapacity(elements)
        for _ in 0..<elements { values.append(try readUInt16(bits)) }
        return values
    }
}
