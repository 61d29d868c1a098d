package import BitsAndTime

/// The `.sub` half of a VobSub pair: an MPEG program stream of subpictures, read at the places its index names.
///
/// Source: ISO/IEC 13818-1 (pack_header, PES packets, private_stream_1); the substream's number is the first byte of the payload, 0x20 and up.
package enum SubpictureFile {
    /// Of one subpicture: its length field has 16 bits, or 32 in the HD form that some writers use.
    package static let byteLimit = 1 << 20
    /// Packs read through for one subpicture, those of other substreams between.
    private static let packetLimit = 4096

    /// The subpicture unit of `substream` that begins at `position`.
    ///
    /// - Parameter substream: 0 to 31.
    /// - Returns: Its bytes, as many as are there, and the PES packet's presentation time (90 kHz) where it has one.
    /// - Throws: `.malformed` where no program stream lies there, `.truncated` where nothing of the unit does.
    package static func unit(in bytes: [UInt8], at position: Int64, substream: Int) throws(ParseError) -> (bytes: [UInt8], presentation: UInt64?) {
        guard position >= 0, position < Int64(bytes.count) else {
            throw ParseError(.truncated, at: Int(clamping: position), in: "sub", "the index names a place behind the file's \(bytes.count) bytes")
        }
        var reader = ByteReader(bytes[Int(position)...], context: "sub")
        var unit: [UInt8] = []
        var presentation: UInt64?
        var wanted = Int.max
        for _ in 0..<packetLimit where unit.count < wanted {
            guard let packet = try next(&reader, isFirst: unit.isEmpty) else { break }
            guard packet.stream == 0xBD, let (time, payload) = private1(packet.content), payload.first == UInt8(truncatingIfNeeded: 0x20 | substream & 0x1F) else { continue }
            // A new unit of the same substream says its time; the one before was cut short.
            if time != nil, !unit.isEmpty { break }
            presentation = presentation ?? time
            unit += payload.dropFirst()
            wanted = min(length(of: unit) ?? Int.max, byteLimit)
        }
        guard !unit.isEmpty else { throw ParseError(.truncated, at: Int(position), in: "sub", "no subpicture of substream \(substream)") }
        guard wanted >= 4 else { throw ParseError(.malformed, at: Int(position), in: "sub", "a subpicture that says it has \(wanted) bytes") }
        return (wanted < unit.count ? Array(unit[..<wanted]) : unit, presentation)
    }

    /// What a unit says of its own length: 16 bits, or 32 behind 16 zero bits.
    private static func length(of unit: [UInt8]) -> Int? {
        guard unit.count >= 2 else { return nil }
        let short = Int(unit[0]) << 8 | Int(unit[1])
        if short != 0 { return short }
        guard unit.count >= 6 else { return nil }
        return unit[2..<6].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next PES packet; pack headers and padding between are passed over. `nil` at the end.
    private static func next(_ reader: inout ByteReader, isFirst: Bool) throws(ParseError) -> (stream: UInt8, content: ArraySlice<UInt8>)? {
        do throws(ParseError) {
            while !reader.isAtEnd {
                guard try reader.readUInt24() == 1 else {
                    throw ParseError(.malformed, at: reader.offset, in: reader.context, "no start code")
                }
                let stream = try reader.readUInt8()
                switch stream {
                case 0xBA:
                    // MPEG-2 packs say how much stuffing follows; those of MPEG-1 are eight bytes.
                    if try reader.readUInt8() & 0xC0 == 0x40 {
                        try reader.skip(8)
                        try reader.skip(Int(try reader.readUInt8() & 7))
                    } else {
                        try reader.skip(7)
                    }
                case 0xB9: return nil
                case 0xBB...0xFF:
                    let count = Int(try reader.readUInt16())
                    // A last packet may be short of bytes its writer left off.
                    let content = try reader.readBytes(min(count, reader.remaining))
                    return (stream, content)
                default: throw ParseError(.malformed, at: reader.offset, in: reader.context, "start code \(stream) in a file of subpictures")
                }
            }
            return nil
        } catch {
            // What was gathered of the unit is kept.
            if isFirst { throw error }
            return nil
        }
    }

    /// The time and the payload of a private_stream_1 packet.
    private static func private1(_ content: ArraySlice<UInt8>) -> (time: UInt64?, payload: ArraySlice<UInt8>)? {
        var reader = ByteReader(content)
        do throws(ParseError) {
            guard try reader.readUInt8() & 0xC0 == 0x80 else { return nil }
            let hasTime = try reader.readUInt8() & 0x80 != 0
            var header = ByteReader(try reader.readBytes(Int(try reader.readUInt8())))
            guard hasTime, header.remaining >= 5 else { return (nil, reader.readRemaining()) }
            let coded = try header.readInteger(byteCount: 5)
            // PTS[32..30], a marker, PTS[29..15], a marker, PTS[14..0], a marker.
            return ((coded >> 33 & 7) << 30 | (coded >> 17 & 0x7FFF) << 15 | coded >> 1 & 0x7FFF, reader.readRemaining())
        } catch {
            return nil
        }
    }
}
