package import BitsAndTime

/// Where a SeekHead says a top-level element begins. A claim: what lies there has to be looked at.
///
/// RFC 9559 §5.1.1.
package struct SeekEntry: Sendable, Equatable {
    package let id: ElementID
    /// Bytes from the start of the Segment's payload to the element's identifier.
    package let position: Int64

    /// Parses the payload of a SeekHead. Entries without identifier or position, which nobody can use, are left out.
    ///
    /// - Throws: `.malformed`, `.truncated`.
    package static func parse(seekHead payload: ArraySlice<UInt8>) throws(ParseError) -> [SeekEntry] {
        var entries: [SeekEntry] = []
        try Element.forEach(in: payload, context: "SeekHead") { (element) throws(ParseError) in
            guard element.id == .seek else { return }
            var id: ElementID?
            var position: Int64?
            try element.forEachChild("Seek") { (child) throws(ParseError) in
                switch child.id {
                case .seekID:
                    guard (1...4).contains(child.payload.count) else { return }
                    id = ElementID(rawValue: UInt32(truncatingIfNeeded: try child.unsignedInteger()))
                case .seekPosition: position = Int64(exactly: try child.unsignedInteger())
                default: break
                }
            }
            if let id, let position { entries.append(SeekEntry(id: id, position: position)) }
        }
        return entries
    }
}
