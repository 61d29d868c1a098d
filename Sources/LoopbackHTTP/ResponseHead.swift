/// A status line and its fields, ready to be written.
///
/// RFC 9112 §4, §5.
package struct ResponseHead: Sendable {
    package var status: Status
    package private(set) var fields: [(name: String, value: String)]

    /// Every answer may be read by pages of any origin: players such as hls.js run on a page that some other local server sent. What is
    /// served is not ambient: a page has to know the port and the names, and the Host check keeps out names pointed here by DNS.
    package init(_ status: Status) {
        self.status = status
        fields = []
        fields.reserveCapacity(12)
        fields.append(("Access-Control-Allow-Origin", "*"))
    }

    package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    package func value(of name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Appends the head with its final empty line. Control characters in values are left out, so no value can end its line.
    package func serialize(into output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.append(contentsOf: "\(status.rawValue)".utf8)
        output.append(0x20)
        output.append(contentsOf: status.reason.utf8)
        output.append(contentsOf: "\r\n".utf8)
        for (name, value) in fields {
            output.append(contentsOf: name.utf8)
            output.append(contentsOf: ": ".utf8)
            let start = output.count
            output.append(contentsOf: value.utf8)
            if output[start...].contains(where: Self.isControl) {
                output.removeSubrange(start...)
                output.append(contentsOf: value.utf8.lazy.filter { !Self.isControl($0) })
            }
            output.append(contentsOf: "\r\n".utf8)
        }
        output.append(contentsOf: "\r\n".utf8)
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
