/// A playlist as lines, before anything is made of them (RFC 8216 §4.1). Nothing is refused here: faults are for the checks to find.
package struct PlaylistDocument: Sendable {
    struct Tag: Sendable {
        /// From 1.
        let line: Int
        /// With the `#`.
        let name: String
        /// After the colon; `nil` without one.
        let value: String?
    }

    enum Content: Sendable {
        case tag(Tag)
        case uri(String, line: Int)
    }

    let name: String
    /// Tags and URIs in order; comments and blank lines are left out.
    let contents: [Content]
    let firstLine: String
    let isUTF8: Bool
    let hasByteOrderMark: Bool
    /// Lines with a control character.
    let controlLines: [Int]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var contents: [Content] = []
        var controls: [Int] = []
        var first: String?
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, raw) in lines.enumerated() {
            let line = index + 1
            var text = raw
            if text.last == 0x0D { text = text.dropLast() }
            // Told of by itself; the line is what follows it.
            if index == 0, hasByteOrderMark { text = text.dropFirst(3) }
            if text.contains(where: { $0 < 0x20 || $0 == 0x7F }) { controls.append(line) }
            let string = String(decoding: text, as: UTF8.self)
            if first == nil { first = string }
            if string.isEmpty { continue }
            if string.hasPrefix("#EXT") {
                let colon = string.firstIndex(of: ":")
                contents.append(
                    .tag(Tag(line: line, name: String(string[..<(colon ?? string.endIndex)]), value: colon.map { String(string[string.index(after: $0)...]) })))
            } else if !string.hasPrefix("#") {
                contents.append(.uri(string, line: line))
            }
        }
        self.contents = contents
        controlLines = controls
        firstLine = first ?? ""
    }

    enum Kind { case multivariant, media }

    var tags: [Tag] {
        contents.compactMap {
            if case .tag(let tag) = $0 { return tag }
            return nil
        }
    }

    func first(_ name: String) -> Tag? { tags.first { $0.name == name } }

    /// What the tags say it is; `nil` where none says anything.
    var kind: Kind? {
        let names = Set(tags.map(\.name))
        if names.contains("#EXT-X-STREAM-INF") { return .multivariant }
        if names.contains("#EXTINF") || names.contains("#EXT-X-TARGETDURATION") { return .media }
        for name in names {
            switch TagDefinition.known[name]?.scope {
            case .multivariant: return .multivariant
            case .media, .segment: return .media
            default: continue
            }
        }
        return nil
    }

    func place(_ line: Int? = nil) -> Place { Place(name, line: line) }
}
