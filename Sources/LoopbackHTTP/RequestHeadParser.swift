/// Bytes of a connection in, request heads out. Holds whatever was pipelined behind the current request.
///
/// Strict where leniency helps nobody but an attacker: lines end in CRLF, no folding, no white space around the field name.
/// RFC 9112 §2–§5.
package struct RequestHeadParser: Sendable {
    package enum Step: Sendable, Equatable {
        case needsMore
        case head(RequestHead)
        /// Not to be continued: what follows in the stream cannot be trusted to be a request.
        case refused(Status)
    }

    private let requestLineLimit: Int
    private let headLimit: Int
    private let fieldLimit: Int
    private var buffer: [UInt8] = []
    /// Start of the current head in `buffer`.
    private var headStart = 0
    /// Start of the line being looked for, and how far it was searched for its LF.
    private var lineStart = 0
    private var scanned = 0
    private var lines: [Range<Int>] = []

    package init(requestLineBytes: Int, headBytes: Int, headFields: Int = 100) {
        requestLineLimit = max(16, requestLineBytes)
        headLimit = max(64, headBytes)
        fieldLimit = max(4, headFields)
    }

    /// True when part of a head has arrived.
    package var isInsideHead: Bool { headStart < buffer.count }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        // The used-up front is dropped here, once per read, not once per pipelined request.
        if headStart == buffer.count, lines.isEmpty {
            buffer.removeAll(keepingCapacity: true)
            (headStart, lineStart, scanned) = (0, 0, 0)
        } else if headStart > 0 {
            buffer.removeFirst(headStart)
            lineStart -= headStart
            scanned -= headStart
            lines = lines.map { ($0.lowerBound - headStart)..<($0.upperBound - headStart) }
            headStart = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next head that is complete. After `.refused` the parser must not be used further.
    package mutating func next() -> Step {
        while true {
            scanned = buffer[scanned...].firstIndex(of: 0x0A) ?? buffer.count
            if let status = limitPassed(at: scanned) { return .refused(status) }
            guard scanned < buffer.count else { return .needsMore }
            guard scanned > lineStart, buffer[scanned - 1] == 0x0D else { return .refused(.badRequest) }
            let line = lineStart..<(scanned - 1)
            scanned += 1
            lineStart = scanned
            if !line.isEmpty {
                guard lines.count <= fieldLimit else { return .refused(.requestHeaderFieldsTooLarge) }
                lines.append(line)
            } else if lines.isEmpty {
                headStart = lineStart  // An empty line before a request line is skipped (RFC 9112 §2.2).
            } else {
                let step = parse()
                headStart = lineStart
                lines.removeAll(keepingCapacity: true)
                return step
            }
        }
    }

    private func limitPassed(at end: Int) -> Status? {
        // One byte of slack: the CR of a line whose LF has not been seen is not part of it.
        if lines.isEmpty, end - lineStart > requestLineLimit + 1 { return .uriTooLong }
        if end + 1 - headStart > headLimit { return .requestHeaderFieldsTooLarge }
        return nil
    }

    private func parse() -> Step {
        let line = buffer[lines[0]]
        guard let methodEnd = line.firstIndex(of: 0x20), let targetEnd = line[(methodEnd + 1)...].firstIndex(of: 0x20) else { return .refused(.badRequest) }
        let (method, target, version) = (line[..<methodEnd], line[(methodEnd + 1)..<targetEnd], line[(targetEnd + 1)...])
        guard Self.isToken(method), !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .refused(.badRequest) }
        guard version.count == 8, version.starts(with: "HTTP/".utf8) else { return .refused(.badRequest) }
        let (major, minor) = (version[version.startIndex + 5], version[version.startIndex + 7])
        guard version[version.startIndex + 6] == 0x2E, Self.isDigit(major), Self.isDigit(minor) else { return .refused(.badRequest) }
        guard major == 0x31 else { return .refused(.versionNotSupported) }

        var fields: [RequestHead.Field] = []
        fields.reserveCapacity(lines.count - 1)
        for range in lines.dropFirst() {
            guard let field = Self.field(in: buffer[range]) else { return .refused(.badRequest) }
            fields.append(field)
        }
        return .head(
            RequestHead(
                method: String(decoding: method, as: UTF8.self), target: String(decoding: target, as: UTF8.self),
                minorVersion: Int(minor - 0x30), fields: fields))
    }

    private static func field(in line: ArraySlice<UInt8>) -> RequestHead.Field? {
        guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else { return nil }
        var value = line[(colon + 1)...]
        while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
        while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        return RequestHead.Field(
            name: String(decoding: line[..<colon], as: UTF8.self).lowercased(), value: String(decoding: value, as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
                default: false
                }
            }
    }
}
