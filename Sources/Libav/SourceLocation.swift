/// What a source string names: a path on this machine, or an address one of libav's protocols opens.
enum SourceLocation: Equatable {
    case path(String)
    case address(String)

    /// Anything without `scheme://` is a path, whatever colons its name holds; a `file://` URL becomes its decoded path.
    /// Nil when the string holds a NUL or is empty.
    init?(_ source: String) {
        guard !source.isEmpty, !source.utf8.contains(0) else { return nil }
        guard let scheme = SourceLocation.scheme(of: source) else {
            self = .path(source)
            return
        }
        guard scheme.lowercased() == "file" else {
            self = .address(source)
            return
        }
        var rest = Array(source.utf8.dropFirst(scheme.utf8.count + 3))
        let host = Array("localhost/".utf8)
        if rest.starts(with: host) { rest.removeFirst(host.count - 1) }
        let decoded = SourceLocation.percentDecoded(rest)
        guard !decoded.isEmpty, !decoded.contains(0) else { return nil }
        self = .path(String(decoding: decoded, as: UTF8.self))
    }

    /// The string libav opens: the `file:` prefix keeps its protocol parser off the path.
    var libavURL: String {
        switch self {
        case .path(let path): return "file:" + path
        case .address(let address): return address
        }
    }

    /// RFC 3986, clause 3.1, followed by `://`.
    private static func scheme(of source: String) -> Substring? {
        guard let colon = source.firstIndex(of: ":"), source[colon...].hasPrefix("://"), let first = source.utf8.first,
            isLetter(first)
        else { return nil }
        let scheme = source[..<colon]
        let isScheme = scheme.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
        return isScheme ? scheme : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) && byte & 0x80 == 0 }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: return byte - 48
        case 65...70: return byte - 55
        case 97...102: return byte - 87
        default: return nil
        }
    }
}
