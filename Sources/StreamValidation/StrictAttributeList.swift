/// An attribute list held to its grammar (RFC 8216 §4.2), with what breaks it.
///
/// `HLS.AttributeList` reads what it can, as a player must; this one tells what a player had to overlook.
struct StrictAttributeList: Sendable {
    struct Item: Sendable {
        let name: String
        /// Without the quotes.
        let text: String
        let isQuoted: Bool
    }

    private(set) var items: [Item] = []
    private(set) var problems: [String] = []

    subscript(name: String) -> String? { items.first { $0.name == name }?.text }

    func item(_ name: String) -> Item? { items.first { $0.name == name } }

    init(parsing text: String) {
        var rest = Array(text.utf8)[...]
        if rest.isEmpty { problems.append("the attribute list is empty") }
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
                problems.append("\"\(Self.string(rest))\" has no =")
                return
            }
            let name = Self.string(rest[..<equals])
            if name.isEmpty || !name.utf8.allSatisfy(Self.isNameByte) { problems.append("\"\(name)\" is no attribute name: A to Z, 0 to 9 and - only") }
            rest = rest[(equals + 1)...]
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                guard let close = rest.firstIndex(of: UInt8(ascii: "\"")) else {
                    problems.append("\(name) has no closing quote")
                    items.append(Item(name: name, text: Self.string(rest), isQuoted: true))
                    return
                }
                items.append(Item(name: name, text: Self.string(rest[..<close]), isQuoted: true))
                rest = rest[(close + 1)...]
                if let next = rest.first, next != UInt8(ascii: ",") {
                    problems.append("after the value of \(name) comes \"\(Self.string(rest.prefix(12)))\" where a comma belongs")
                    guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return }
                    rest = rest[comma...]
                }
            } else {
                let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
                let value = Self.string(rest[..<end])
                if value.isEmpty { problems.append("\(name) has no value") }
                if value.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }) {
                    problems.append("the value of \(name) has a quote or a space in it")
                }
                items.append(Item(name: name, text: value, isQuoted: false))
                rest = rest[end...]
            }
            guard !rest.isEmpty else { return }
            rest = rest.dropFirst()
            if rest.isEmpty { problems.append("the list ends with a comma") }
        }
    }

    /// Names that stand there more than once, which §4.2 forbids.
    var duplicates: [String] {
        var seen: Set<String> = []
        return items.map(\.name).filter { !seen.insert($0).inserted }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D }
    private static func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
