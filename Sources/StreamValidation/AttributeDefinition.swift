internal import HLS

/// An attribute as its tag defines it: what its value looks like, and whether it must be there.
struct AttributeDefinition: Sendable {
    enum Kind: Sendable {
        case integer
        case hexadecimal
        case decimal
        case signedDecimal
        case quoted
        case enumerated([String])
        case resolution
        /// CLOSED-CAPTIONS: a quoted group or NONE.
        case quotedOr(String)
        case anything
    }

    let name: String
    let kind: Kind
    let isRequired: Bool

    init(_ name: String, _ kind: Kind, required: Bool = false) {
        self.name = name
        self.kind = kind
        isRequired = required
    }

    /// What is wrong with a value's form (RFC 8216 §4.2); `nil` when nothing is.
    func fault(_ item: StrictAttributeList.Item) -> String? {
        switch kind {
        case .anything: return nil
        case .quoted: return item.isQuoted ? nil : "\(name) is a quoted string, \(item.text) has no quotes"
        case .quotedOr(let word): return item.isQuoted || item.text == word ? nil : "\(name) is a quoted string or \(word), not \(item.text)"
        default: break
        }
        if item.isQuoted { return "\(name) has quotes, which its kind of value does not take" }
        switch kind {
        case .integer: return Self.isInteger(item.text) ? nil : "\(name) is a decimal integer, not \(item.text)"
        case .hexadecimal: return Self.isHexadecimal(item.text) ? nil : "\(name) is 0x and hexadecimal digits, not \(item.text)"
        case .decimal: return DecimalSeconds.time(item.text) != nil ? nil : "\(name) is an unsigned decimal number, not \(item.text)"
        case .signedDecimal:
            let magnitude = item.text.first == "-" ? String(item.text.dropFirst()) : item.text
            return DecimalSeconds.time(magnitude) != nil ? nil : "\(name) is a decimal number, not \(item.text)"
        case .enumerated(let values):
            return values.contains(item.text) ? nil : "\(name) is one of \(values.joined(separator: ", ")), not \(item.text)"
        case .resolution: return Self.resolution(item.text) != nil ? nil : "\(name) is width, x and height, not \(item.text)"
        default: return nil
        }
    }

    static func isInteger(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 20 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt64(text) != nil
    }

    static func isHexadecimal(_ text: String) -> Bool {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return false }
        return text.count > 2 && text.dropFirst(2).utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
    }

    static func resolution(_ text: String) -> (width: Int, height: Int)? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(isInteger), let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        return (width, height)
    }
}
