internal import BitsAndTime

/// A sample of a QuickTime caption track: `c608` with the atoms `cdat` and `cdt2`, byte pairs of the first and the second field, or `c708`
/// with `ccdp` (Apple, QuickTime File Format, "Closed Captioning Media").
package enum QuickTimeCaptionSample {
    /// The triplets, each field's pairs one frame apart.
    ///
    /// - Returns: Nothing where the sample is not built of such atoms; `CaptionData.triplets(raw:)` reads it where a demuxer took them off.
    ///   Atoms of other names are passed over.
    package static func triplets(_ sample: ArraySlice<UInt8>) -> [CaptionTriplet] {
        var reader = ByteReader(sample, context: "c608")
        var found: [CaptionTriplet] = []
        do throws(ParseError) {
            while reader.remaining >= 8 {
                let size = Int(try reader.readUInt32())
                let name = try reader.readUInt32()
                guard size >= 8, size - 8 <= reader.remaining else { break }
                let payload = try reader.readBytes(size - 8)
                switch name {
                case fourCharacters("cdat"): found += pairs(payload, .field1)
                case fourCharacters("cdt2"): found += pairs(payload, .field2)
                case fourCharacters("ccdp"): found += try CaptionDistributionPacket(parsing: payload).triplets
                default: break
                }
            }
        } catch {
            // A damaged packet says nothing; what came before it counts.
        }
        return found.spreadByField()
    }

    private static func fourCharacters(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    private static func pairs(_ payload: ArraySlice<UInt8>, _ kind: CaptionTriplet.Kind) -> [CaptionTriplet] {
        stride(from: payload.startIndex, to: payload.endIndex - 1, by: 2).map { CaptionTriplet(kind, payload[$0], payload[$0 + 1]) }
    }
}
