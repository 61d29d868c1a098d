/// The attribute list of a tag (RFC 8216 §4.2): `NAME=value,NAME="text"`, in order.
package struct AttributeList: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        /// Decimal, hexadecimal, enumerated, resolution: written as it is.
        case plain(String)
        case quoted(String)

        package var text: String {
            switch self {
            case .plain(let text), .quoted(let text): text
            }
        }
    }

    package private(set) var items: [(name: String, value: Value)] = []

    package init() {}

    package static func == (a: AttributeList, b: AttributeList) -> Bool {
        a.items.elementsEqual(b.items) { $0.name == $1.name && $0.value == $1.value }
    }

    package subscript(name: String) -> String? { items.first { $0.name == name }?.value.text }

    /// Appends a value without quotes, which can hold no quotes, commas or white space (§4.2): one that does is left out.
    package mutating func append(_ name: String, plain value: String?) {
        guard let value, !value.unicodeScalars.contains(where: Self.endsPlainValue) else { return }
        items.append((name, .plain(value)))
    }

    private static func endsPlainValue(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "," || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// Appends text. A quoted string can hold neither quotes nor line ends (§4.2) and knows no escape: quotes become apostrophes, line ends spaces.
    package mutating func append(_ name: String, quoted value: String?) {
        guard let value else { return }
        var safe = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            let replaced: Unicode.Scalar = scalar == "\"" ? "'" : scalar.properties.generalCategory == .control ? " " : scalar
            safe.append(replaced)
        }
        items.append((name, .quoted(String(safe))))
    }

    package func serialized() -> String {
        items.map { item in
            switch item.value {
            case .plain(let text): "\(item.name)=\(text)"
            case .quoted(let text): "\(item.name)=\"\(text)\""
            }
        }.joined(separator: ",")
    }

    /// Reads a list; what cannot be one ends the reading, so that a damaged tag keeps the attributes before the damage.
    ///
    /// Works on Unicode scalars: a combining mark that begins a quoted string would hide the quote before it inside one `Character`.
    package init(parsing text: some StringProtocol) {
        func string(_ scalars: Substring.UnicodeScalarView) -> String { String(Substring(scalars)) }
        var rest = Substring(text).unicodeScalars
        while let equals = rest.firstIndex(of: "=") {
            let name = string(rest[..<equals].drop { $0 == " " || $0 == "," })
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let close = rest.firstIndex(of: "\"") else { return }
                items.append((name, .quoted(string(rest[..<close]))))
                rest = rest[rest.index(after: close)...].drop { $0 == "," }
            } else {
                let end = rest.firstIndex(of: ",") ?? rest.endIndex
                items.append((name, .plain(string(rest[..<end]))))
                rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            }
        }
    }
}
