internal import BitsAndTime

/// Finds `cc_data()` in the user data of pictures, whose framing (SEI, picture headers) is not known here.
package enum CaptionUserData {
    /// user_data_type_code of `cc_data()` (A/53 Part 4:2009 Table 6.9).
    private static let captionType: UInt8 = 3
    private static let atscIdentifier = Array("GA94".utf8)

    /// Captions of a T.35 message: SEI payload type 4 of H.264 and H.265, or metadata of AV1 (A/53 Part 4:2009 §6.2.3, CTA-708-E §4.4.1).
    ///
    /// - Parameter payload: Behind the country code: provider code, identifier, type.
    /// - Returns: Nothing for messages of others.
    package static func triplets(countryCode: UInt8, payload: ArraySlice<UInt8>) -> [CaptionTriplet] {
        guard countryCode == 0xB5 else { return [] }
        if payload.starts(with: [0x00, 0x31]) { return atsc(payload.dropFirst(2)) }
        // DirecTV: the type without an identifier, and a length.
        if payload.starts(with: [0x00, 0x2F, captionType]) { return data(payload.dropFirst(4)) }
        return []
    }

    /// Captions of a picture's `user_data()` in MPEG-2 video, each behind its start code: A/53's, SCTE 20's, or a DVD's.
    ///
    /// Streams made for old and new receivers carry the same pairs in two of these forms: the first kind in this order counts, alone.
    package static func triplets(pictureUserData: [ArraySlice<UInt8>]) -> [CaptionTriplet] {
        for read in [atsc, scte20, dvd] {
            let found = pictureUserData.flatMap(read)
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func atsc(_ bytes: ArraySlice<UInt8>) -> [CaptionTriplet] {
        guard bytes.starts(with: atscIdentifier + [captionType]) else { return [] }
        return data(bytes.dropFirst(5))
    }

    private static func data(_ bytes: ArraySlice<UInt8>) -> [CaptionTriplet] {
        var reader = ByteReader(bytes, context: "cc_data")
        do throws(ParseError) {
            let data = try CaptionData(parsing: &reader)
            return data.isToBeProcessed ? data.triplets : []
        } catch {
            return []
        }
    }

    /// Pairs with their bits the other way round (ANSI/SCTE 20 2012 §5.2).
    private static func scte20(_ bytes: ArraySlice<UInt8>) -> [CaptionTriplet] {
        guard bytes.count >= 3, bytes.first == 3, let flags = bytes.dropFirst().first, flags & 0x7F == 1 else { return [] }
        var bits = BitReader(bytes.dropFirst(2), context: "SCTE 20")
        var found: [CaptionTriplet] = []
        do throws(ParseError) {
            for _ in 0..<(try bits.readBits(5)) {
                try bits.skipBits(2)  // cc_priority
                let field = try bits.readBits(2)
                try bits.skipBits(5)  // line_offset
                let (first, second) = (reversed(try bits.readBits(8)), reversed(try bits.readBits(8)))
                try bits.skipBits(1)  // marker_bit
                // 0 is forbidden; 3 is the first field shown again.
                if field != 0 { found.append(CaptionTriplet(field == 2 ? .field2 : .field1, first, second)) }
            }
        } catch {
            // The whole pairs before the end count.
        }
        return found
    }

    private static func reversed(_ byte: UInt64) -> UInt8 {
        (0..<8).reduce(0) { $0 | UInt8(truncatingIfNeeded: byte >> UInt64($1) & 1) << UInt8(7 - $1) }
    }

    /// A group of pictures' pairs at once, each behind FE or FF for the second or the first field.
    private static func dvd(_ bytes: ArraySlice<UInt8>) -> [CaptionTriplet] {
        guard bytes.starts(with: [0x43, 0x43, 0x01, 0xF8]), let attributes = bytes.dropFirst(4).first else { return [] }
        var reader = ByteReader(bytes.dropFirst(5), context: "DVD captions")
        var found: [CaptionTriplet] = []
        let count = Int(attributes >> 1 & 0x1F) * 2 + Int(attributes & 1)
        do throws(ParseError) {
            for _ in 0..<count where reader.remaining >= 3 {
                let head = try reader.readUInt8()
                guard head & 0xFE == 0xFE else { break }
                found.append(CaptionTriplet(head & 1 == 1 ? .field1 : .field2, try reader.readUInt8(), try reader.readUInt8()))
            }
        } catch {
            // Counted before reading: does not happen.
        }
        return found.spreadByField()
    }
}
