package import BitsAndTime

/// `esds` of an `mp4a` entry: an ES_Descriptor around the AudioSpecificConfig (ISO/IEC 14496-1 §7.2.6.5, 14496-14 §5.6).
package struct ElementaryStreamDescriptor: Sendable, Equatable {
    /// 0x40: MPEG-4 audio.
    package var objectTypeIndication: UInt8
    package var maximumBitRate: UInt32
    package var averageBitRate: UInt32
    /// DecoderSpecificInfo: the AudioSpecificConfig.
    package var decoderSpecificInfo: [UInt8]

    package init(objectTypeIndication: UInt8 = 0x40, maximumBitRate: UInt32 = 0, averageBitRate: UInt32 = 0, decoderSpecificInfo: [UInt8]) {
        self.objectTypeIndication = objectTypeIndication
        self.maximumBitRate = maximumBitRate
        self.averageBitRate = averageBitRate
        self.decoderSpecificInfo = decoderSpecificInfo
    }

    /// Reads the content of an `esds` box. Lengths in any of their one- to four-byte spellings; optional ES fields are skipped.
    package init(parsing payload: [UInt8]) throws(ParseError) {
        var reader = ByteReader(payload, context: "esds")
        _ = try reader.readFullBoxHeader()
        var es = try Self.descriptor(tag: 3, from: &reader)
        try es.skip(2)
        let flags = try es.readUInt8()
        if flags & 0x80 != 0 { try es.skip(2) }
        if flags & 0x40 != 0 { try es.skip(Int(try es.readUInt8())) }
        if flags & 0x20 != 0 { try es.skip(2) }
        var config = try Self.descriptor(tag: 4, from: &es)
        objectTypeIndication = try config.readUInt8()
        try config.skip(4)
        maximumBitRate = try config.readUInt32()
        averageBitRate = try config.readUInt32()
        decoderSpecificInfo = []
        if !config.isAtEnd {
            var info = try Self.descriptor(tag: 5, from: &config)
            decoderSpecificInfo = Array(info.readRemaining())
        }
    }

    /// The box's content. Lengths are written in one byte where they fit, else in as many as they need.
    package func serialized() -> [UInt8] {
        var info = ByteWriter()
        Self.write(tag: 5, decoderSpecificInfo, into: &info)
        var config = ByteWriter()
        config.write(objectTypeIndication)
        config.write(0x15 as UInt8)  // audio stream, not upstream, reserved bit set
        config.writeInteger(0, byteCount: 3)  // bufferSizeDB
        config.write(maximumBitRate)
        config.write(averageBitRate)
        config.write(contentsOf: info.bytes)
        var es = ByteWriter()
        es.write(0 as UInt16)  // ES_ID: 0 in a file (14496-14 §3.1.2)
        es.write(0 as UInt8)
        Self.write(tag: 4, config.bytes, into: &es)
        Self.write(tag: 6, [0x02], into: &es)  // SLConfigDescriptor, predefined for MP4
        var box = ByteWriter()
        box.write(0 as UInt32)
        Self.write(tag: 3, es.bytes, into: &box)
        return box.bytes
    }

    private static func descriptor(tag: UInt8, from reader: inout ByteReader) throws(ParseError) -> ByteReader {
        let found = try reader.readUInt8()
        guard found == tag else { throw ParseError(.malformed, at: reader.offset - 1, in: "esds", "descriptor \(found) where \(tag) belongs") }
        var length = 0
        for _ in 0..<4 {
            let byte = try reader.readUInt8()
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return ByteReader(try reader.readBytes(length), context: "esds")
    }

    private static func write(tag: UInt8, _ content: [UInt8], into writer: inout ByteWriter) {
        writer.write(tag)
        var groups = [UInt8(content.count & 0x7F)]
        var left = content.count >> 7
        while left > 0 {
            groups.insert(UInt8(left & 0x7F) | 0x80, at: 0)
            left >>= 7
        }
        writer.write(contentsOf: groups)
        writer.write(contentsOf: content)
    }
}
