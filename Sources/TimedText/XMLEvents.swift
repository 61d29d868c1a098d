package import BitsAndTime

/// Reads an XML document as elements and text, for formats that are XML; not validating, without external entities, namespaces as prefixes only.
///
/// Bounded: ``depthLimit`` deep, ``attributeLimit`` attributes an element, no entity expands to more than a character, and every step takes bytes off
/// the input, so that it is linear. Source: W3C XML 1.0, fifth edition.
package struct XMLEvents: Sendable {
    package enum Event: Sendable, Hashable {
        /// Names without their prefix; attributes as "prefix:name" → value are found by ``Attributes``.
        case begin(String, Attributes)
        case end(String)
        case text(String)
    }

    package struct Attributes: Sendable, Hashable {
        /// As written, in order.
        package var items: [(name: String, value: String)] = []

        package static func == (a: Attributes, b: Attributes) -> Bool { a.items.elementsEqual(b.items) { $0.name == $1.name && $0.value == $1.value } }
        package func hash(into hasher: inout Hasher) { for item in items { hasher.combine(item.name) } }

        /// By the name without its prefix.
        package subscript(name: String) -> String? { items.first { $0.name == name || $0.name.utf8.count > name.utf8.count && $0.name.hasSuffix(":" + name) }?.value }
    }

    package static let depthLimit = 128
    package static let attributeLimit = 128

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var stack: [String] = []
    private var pendingEnd: String?
    private var hasRoot = false

    /// - Parameter bytes: In UTF-8, with or without a byte order mark.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        index = self.bytes.startIndex
    }

    /// The next event; `nil` behind the root element's end.
    ///
    /// - Throws: ``ParseError`` at the first place that is not well-formed.
    package mutating func next() throws(ParseError) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            stack.removeLast()
            return .end(name)
        }
        while index < bytes.endIndex {
            if bytes[index] != UInt8(ascii: "<") {
                let run = bytes[index...].prefix { $0 != UInt8(ascii: "<") }
                index = run.endIndex
                if stack.isEmpty { continue }
                return .text(Self.unescaped(run))
            }
            if hasPrefix("<!--") {
                try skip(past: "-->", from: 4)
            } else if hasPrefix("<![CDATA[") {
                let start = index + 9
                try skip(past: "]]>", from: 9)
                if !stack.isEmpty { return .text(String(decoding: bytes[start..<(index - 3)], as: UTF8.self)) }
            } else if hasPrefix("<?") {
                try skip(past: "?>", from: 2)
            } else if hasPrefix("<!") {
                try skipDeclaration()
            } else if hasPrefix("</") {
                let name = Self.local(takeName(from: 2))
                try skip(past: ">", from: 0)
                guard stack.popLast() == name else { throw error("</\(name)> closes another element") }
                return .end(name)
            } else {
                guard !(stack.isEmpty && hasRoot) else { throw error("a second root element") }
                return try begin()
            }
        }
        guard stack.isEmpty, hasRoot else { throw ParseError(.truncated, at: index, in: "XML", hasRoot ? "\(stack.count) elements are open" : "no root element") }
        return nil
    }

    private mutating func begin() throws(ParseError) -> Event {
        let name = Self.local(takeName(from: 1))
        guard !name.isEmpty else { throw error("an element without a name") }
        guard stack.count < Self.depthLimit else { throw ParseError(.limitExceeded, at: index, in: "XML", "more than \(Self.depthLimit) elements deep") }
        var attributes = Attributes()
        while true {
            index = bytes[index...].firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
            guard index < bytes.endIndex else { throw ParseError(.truncated, at: index, in: "XML", "in <\(name)>") }
            if bytes[index] == UInt8(ascii: ">") {
                index += 1
                break
            }
            if hasPrefix("/>") {
                index += 2
                pendingEnd = name
                break
            }
            let key = takeName(from: 0)
            index = bytes[index...].firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
            guard !key.isEmpty, index < bytes.endIndex, bytes[index] == UInt8(ascii: "=") else { throw error("an attribute of <\(name)> without a value") }
            index = bytes[(index + 1)...].firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
            guard index < bytes.endIndex, case let quote = bytes[index], quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = bytes[(index + 1)...].firstIndex(of: quote)
            else { throw error("an attribute of <\(name)> without quotes") }
            guard attributes.items.count < Self.attributeLimit else { throw ParseError(.limitExceeded, at: index, in: "XML", "more than \(Self.attributeLimit) attributes") }
            attributes.items.append((key.string, Self.unescaped(bytes[(index + 1)..<end])))
            index = end + 1
        }
        stack.append(name)
        hasRoot = true
        return .begin(name, attributes)
    }

    private func error(_ reason: String) -> ParseError { ParseError(.malformed, at: index - bytes.startIndex, in: "XML", reason) }

    private func hasPrefix(_ text: StaticString) -> Bool {
        bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func takeName(from offset: Int) -> ArraySlice<UInt8> {
        index = min(index + offset, bytes.endIndex)
        let name = bytes[index...].prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "<") }
        index = name.endIndex
        return name
    }

    private mutating func skip(past text: StaticString, from offset: Int) throws(ParseError) {
        index = min(index + offset, bytes.endIndex)
        let last = text.utf8Start[text.utf8CodeUnitCount - 1]
        while let found = bytes[index...].firstIndex(of: last) {
            let start = found - text.utf8CodeUnitCount + 1
            let matches = start >= bytes.startIndex && zip(bytes[start...found], UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)).allSatisfy { $0 == $1 }
            index = found + 1
            if matches { return }
        }
        throw ParseError(.truncated, at: index - bytes.startIndex, in: "XML", "\(text) is missing")
    }

    /// A document type, with an inner part in brackets or without; what it declares is not used.
    private mutating func skipDeclaration() throws(ParseError) {
        var brackets = 0
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "[") { brackets += 1 } else if byte == UInt8(ascii: "]") { brackets = max(0, brackets - 1) } else if byte == UInt8(ascii: ">"), brackets == 0 { return }
        }
        throw ParseError(.truncated, at: index - bytes.startIndex, in: "XML", "in a declaration")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func local(_ name: ArraySlice<UInt8>) -> String { (name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name).string }

    /// Line ends become line feeds, the five entities and numbers their characters; a reference to another entity stays as it is.
    private static func unescaped(_ run: ArraySlice<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(run.count)
        var index = run.startIndex
        while index < run.endIndex {
            let byte = run[index]
            if byte == UInt8(ascii: "&"), case let name = run[(index + 1)...].prefix(12).prefix(while: { $0 != UInt8(ascii: ";") }), name.endIndex < run.endIndex,
                run[name.endIndex] == UInt8(ascii: ";"), let character = character(name)
            {
                output += character
                index = name.endIndex + 1
                continue
            }
            if byte == 0x0D {
                if index + 1 == run.endIndex || run[index + 1] != 0x0A { output.append(0x0A) }
            } else {
                output.append(byte)
            }
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        switch name.string {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            guard name.first == UInt8(ascii: "#") else { return nil }
            let isHex = name.dropFirst().first == UInt8(ascii: "x")
            guard let value = UInt32(name.dropFirst(isHex ? 2 : 1).string, radix: isHex ? 16 : 10), value >= 0x20 || value == 0x0A || value == 0x09,
                let scalar = Unicode.Scalar(value)
            else { return nil }
            return Array(String(Character(scalar)).utf8)
        }
    }
}
