/// An IPv4 address, as a value.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
    /// The four octets of `a.b.c.d`, `a` in the highest byte.
    package let value: UInt32

    package static let loopback = IPv4Address(0x7F00_0001)

    package init(_ value: UInt32) { self.value = value }

    /// Four decimal numbers from 0 to 255 with dots between them; nil for anything else. Leading zeros are refused: some read them as octal.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), part.count == 1 || part.first != 0x30 else { return nil }
            let octet = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
            guard octet <= 255 else { return nil }
            value = value << 8 | octet
        }
        self.value = value
    }

    package var description: String { "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)" }

    /// 169.254/16: what a machine gives itself when nobody gave it an address.
    ///
    /// RFC 3927 §2.1.
    package var isSelfAssigned: Bool { value >> 16 == 0xA9FE }
}
