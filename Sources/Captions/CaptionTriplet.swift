package import BitsAndTime

/// One construct of `cc_data()`: two bytes of captions, and whose they are (ATSC A/53 Part 4:2009 §6.2.3.1, CTA-708-E §4.4).
package struct CaptionTriplet: Sendable, Hashable {
    /// `cc_type`.
    package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// A byte pair of CEA-608, as on line 21 of the first and of the second field: CC1 and CC2, CC3 and CC4.
        case field1, field2
        /// Bytes of a DTVCC packet, and the first two of one.
        case dtvccData, dtvccStart
    }

    package var kind: Kind
    /// `cc_valid`: false is padding.
    package var isValid: Bool
    package var first: UInt8
    package var second: UInt8
    /// How many frames of 30000/1001 a second after its picture it was meant for: containers and DVDs put the captions of several
    /// pictures together. 0…``frameOffsetLimit``.
    package var frameOffset: UInt8

    /// A DVD's group of pictures has 15 frames, a sample of a caption track is shorter than a second.
    package static let frameOffsetLimit: UInt8 = 31

    package init(_ kind: Kind, _ first: UInt8, _ second: UInt8, isValid: Bool = true, frameOffset: UInt8 = 0) {
        (self.kind, self.first, self.second, self.isValid) = (kind, first, second, isValid)
        self.frameOffset = min(frameOffset, Self.frameOffsetLimit)
    }

    /// Marker bits are not looked at, and are written set.
    package init(parsing reader: inout ByteReader) throws(ParseError) {
        let head = try reader.readUInt8()
        self.init(Kind(rawValue: head & 3) ?? .field1, try reader.readUInt8(), try reader.readUInt8(), isValid: head & 4 != 0)
    }

    package func serialize(to writer: inout ByteWriter) {
        writer.write(0xF8 | (isValid ? 4 : 0) | kind.rawValue)
        writer.write(first)
        writer.write(second)
    }

    /// Since its picture.
    package var offset: MediaTime { MediaTime(ticks: Int64(frameOffset) * 1001, timescale: 30_000) }

    package var isLine21: Bool { kind == .field1 || kind == .field2 }

    /// Says nothing: not valid, or a pair of nulls with or without its parity.
    package var isPadding: Bool { !isValid || (isLine21 && (first | second) & 0x7F == 0) }
}

extension [CaptionTriplet] {
    /// Each field's pairs one frame after the other.
    func spreadByField() -> [CaptionTriplet] {
        var counts: [UInt8] = [0, 0]
        return map { triplet in
            guard triplet.isLine21 else { return triplet }
            var spread = triplet
            let field = Int(triplet.kind.rawValue)
            spread.frameOffset = counts[field]
            counts[field] = Swift.min(counts[field] + 1, CaptionTriplet.frameOffsetLimit)
            return spread
        }
    }
}
