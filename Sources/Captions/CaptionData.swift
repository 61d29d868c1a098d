package import BitsAndTime

/// `cc_data()`: the captions that travel with one picture (ATSC A/53 Part 4:2009 §6.2.3.1 Table 6.10, CTA-708-E §4.4).
package struct CaptionData: Sendable, Hashable {
    /// `process_cc_data_flag`: where it is not set the triplets mean nothing.
    package var isToBeProcessed = true
    /// `em_data`: reserved.
    package var emergencyData: UInt8 = 0xFF
    /// At most 31 can be written.
    package var triplets: [CaptionTriplet]

    package init(triplets: [CaptionTriplet]) { self.triplets = triplets }

    /// Reads what there is: a count that overruns the input gives the whole triplets before its end.
    ///
    /// `process_em_data_flag`, `additional_data_flag` and the marker byte are not kept; they are written 1, 0 and FF.
    package init(parsing reader: inout ByteReader) throws(ParseError) {
        let flags = try reader.readUInt8()
        isToBeProcessed = flags & 0x40 != 0
        emergencyData = try reader.readUInt8()
        triplets = []
        for _ in 0..<min(Int(flags & 0x1F), reader.remaining / 3) { triplets.append(try CaptionTriplet(parsing: &reader)) }
        if !reader.isAtEnd { try reader.skip(1) }
    }

    package func serialize(to writer: inout ByteWriter) {
        let written = triplets.prefix(31)
        writer.write(0x80 | (isToBeProcessed ? 0x40 : 0) | UInt8(truncatingIfNeeded: written.count))
        writer.write(emergencyData)
        for triplet in written { triplet.serialize(to: &writer) }
        writer.write(0xFF as UInt8)
    }

    /// What a caption track's packets hold once a demuxer took their atoms off: triplets, or bare byte pairs of the first field.
    ///
    /// The pairs of each field are one frame apart.
    package static func triplets(raw bytes: ArraySlice<UInt8>) -> [CaptionTriplet] {
        var reader = ByteReader(bytes, context: "eia_608")
        var found: [CaptionTriplet] = []
        let heads = stride(from: bytes.startIndex, to: bytes.endIndex, by: 3)
        let isTriplets = bytes.count % 3 == 0 && heads.allSatisfy { bytes[$0] & 0xF8 == 0xF8 }
        do throws(ParseError) {
            if isTriplets {
                while !reader.isAtEnd { found.append(try CaptionTriplet(parsing: &reader)) }
            } else {
                while reader.remaining >= 2 { found.append(CaptionTriplet(.field1, try reader.readUInt8(), try reader.readUInt8())) }
            }
        } catch {
            // Counted before reading: does not happen.
        }
        return found.spreadByField()
    }
}
