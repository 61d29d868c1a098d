internal import BitsAndTime
internal import ISOBMFF

/// `moof` as HLS wants it: addressed from itself, timed by `tfdt`, of tracks the init segment knows (RFC 8216 §3.3).
enum FragmentHeaderCheck {
    /// - Returns: Whether its samples can be looked for.
    static func check(_ moof: Box, _ context: SegmentCheck.Context, into findings: inout Findings) -> Bool {
        do throws(ParseError) {
            return try read(moof, context, into: &findings)
        } catch {
            findings.add(.fragment, Place(context.resource, box: "moof", byteOffset: moof.offset), error.description)
            return false
        }
    }

    private static func read(_ moof: Box, _ context: SegmentCheck.Context, into findings: inout Findings) throws(ParseError) -> Bool {
        let boxes = try moof.children(context: "moof")
        var isReadable = true
        func place(_ box: String) -> Place { Place(context.resource, box: box, byteOffset: moof.offset) }
        if boxes.first("mfhd") == nil {
            findings.add(.fragment, place("moof"), "no mfhd")
            isReadable = false
        }
        if boxes.first("traf") == nil { findings.add(.fragment, place("moof"), "no traf") }
        for traf in boxes where traf.type == "traf" {
            let inner = try traf.children(context: "moof/traf")
            guard let tfhd = inner.first("tfhd") else {
                findings.add(.fragment, place("moof/traf"), "no tfhd")
                isReadable = false
                continue
            }
            var reader = tfhd.reader()
            let flags = try reader.readFullBoxHeader().flags
            let id = try reader.readUInt32()
            if let initialization = context.initialization, initialization.track(id) == nil {
                findings.add(.unknownTrack, place("moof/traf/tfhd"), "track \(id) is not in the init segment")
            }
            if flags & 0x1 != 0 {
                findings.add(.absolute, place("moof/traf/tfhd"), "a base data offset counted from the start of the file")
                isReadable = false
            } else if flags & 0x2_0000 == 0 {
                findings.add(.baseIsMoof, place("moof/traf/tfhd"), "default-base-is-moof is not set")
            }
            if inner.first("tfdt") == nil {
                findings.add(.noDecodeTime, place("moof/traf"), "no tfdt")
                isReadable = false
            }
            if inner.first("tfhd")?.offset ?? 0 > inner.first("trun")?.offset ?? .max { findings.add(.fragment, place("moof/traf"), "trun comes before tfhd") }
        }
        return isReadable
    }
}

extension Rule {
    static let fragment = Rule("segment.fragment", .must, "ISO/IEC 14496-12 §8.8.4 to §8.8.8", fix: "Write moof with mfhd, and traf with tfhd first.")
    static let unknownTrack = Rule("segment.track", .must, "RFC 8216 §3.3", fix: "Use the track IDs of the init segment.")
    static let absolute = Rule("segment.absolute", .must, "RFC 8216 §3.3, ISO/IEC 14496-12 §8.8.7", fix: "Count data offsets from the moof.")
    static let baseIsMoof = Rule("segment.base-is-moof", .should, "RFC 8216 §3.3, ISO/IEC 23000-19 §7.5.16", fix: "Set default-base-is-moof.")
    static let noDecodeTime = Rule("segment.tfdt", .must, "RFC 8216 §3.3, ISO/IEC 14496-12 §8.8.12", fix: "Write tfdt into each traf.")
}
