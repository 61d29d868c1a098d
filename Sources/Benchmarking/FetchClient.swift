internal import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// One kept-alive HTTP/1.1 connection that fetches and drops: it must cost as little as it can, for what it costs is measured with the server.
///
/// For one thread. Knows what a server of ours sends, content lengths and chunks; anything else is a failure.
///
/// RFC 9112 (2022) §6, §7.1.
final class FetchClient {
    enum Failure: Error, Equatable, CustomStringConvertible {
        case address(String)
        case transport(String)
        case status(Int, path: String)

        var description: String {
            switch self {
            case .address(let host): "\(host) is no IPv4 address and port"
            case .transport(let what): what
            case .status(let status, let path): "\(path): HTTP \(status)"
            }
        }
    }

    struct Fetched {
        /// From the request to the first byte of the body.
        let toFirstByte: Duration
        let toLastByte: Duration
        let byteCount: Int
        /// The body, where it was asked for.
        let body: [UInt8]
    }

    private static let timeoutSeconds = 60
    private static let headLimit = 64 << 10

    private var descriptor: Int32 = -1
    private let address: sockaddr_in
    private let host: String
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    /// What of `buffer` was received and not used yet.
    private var pending = 0..<0

    /// Connects to the IPv4 address and port in `url`.
    init(_ url: URL) throws(Failure) {
        var address = sockaddr_in()
        let name = url.host() ?? ""
        guard let port = url.port.flatMap(UInt16.init(exactly:)), inet_pton(AF_INET, name, &address.sin_addr) == 1 else { throw .address(name) }
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        host = "\(name):\(port)"
        self.address = address
        try open()
    }

    /// Connects anew: servers end a connection after so many requests, or after so long without one.
    private func open() throws(Failure) {
        if descriptor >= 0 { close(descriptor) }
        pending = 0..<0
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .transport("no socket: errno \(errno)") }
        var limit = timeval()
        limit.tv_sec = .init(Self.timeoutSeconds)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let connected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else {
            throw .transport("no connection: errno \(errno)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func get(_ url: URL, keepsBody: Bool = false) throws(Failure) -> Fetched {
        let began = ContinuousClock.now
        let path = url.path(percentEncoded: true)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        if !isTaken(request) {
            try open()
            guard isTaken(request) else { throw .transport("\(path): the request was not taken") }
        }
        let head = try readHead(path)
        let first = ContinuousClock.now
        var body: [UInt8] = []
        var byteCount = 0
        if let length = head.length {
            try take(length, into: keepsBody ? { body += $0 } : nil, path)
            byteCount = length
        } else {
            while let size = try readChunkSize(path) {
                try take(size, into: keepsBody ? { body += $0 } : nil, path)
                byteCount += size
                try take(2, into: nil, path)
            }
        }
        return Fetched(toFirstByte: first - began, toLastByte: ContinuousClock.now - began, byteCount: byteCount, body: body)
    }

    /// Whether the request was sent and something came back.
    private func isTaken(_ request: [UInt8]) -> Bool {
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
    }

    private func readHead(_ path: String) throws(Failure) -> (length: Int?, isChunked: Bool) {
        var lines: [String] = []
        var total = 0
        while true {
            let line = try readLine(path)
            total += line.utf8.count
            if line.isEmpty { break }
            guard total < Self.headLimit else { throw .transport("\(path): an endless head") }
            lines.append(line)
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw .transport("\(path): no status") }
        guard status == 200 else { throw .status(status, path: path) }
        func value(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        if value("transfer-encoding")?.lowercased() == "chunked" { return (nil, true) }
        guard let length = value("content-length").flatMap({ Int($0) }), length >= 0 else { throw .transport("\(path): neither a length nor chunks") }
        return (length, false)
    }

    /// The next chunk's size; `nil` behind the last one and its empty trailer.
    private func readChunkSize(_ path: String) throws(Failure) -> Int? {
        guard let size = Int(try readLine(path), radix: 16), size >= 0 else { throw .transport("\(path): a bad chunk") }
        if size > 0 { return size }
        _ = try readLine(path)
        return nil
    }

    private func readLine(_ path: String) throws(Failure) -> String {
        var line: [UInt8] = []
        while line.count < Self.headLimit {
            if pending.isEmpty { try receive(path) }
            let byte = buffer[pending.lowerBound]
            pending = (pending.lowerBound + 1)..<pending.upperBound
            if byte == UInt8(ascii: "\n") {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            }
            line.append(byte)
        }
        throw .transport("\(path): an endless line")
    }

    private func take(_ count: Int, into sink: ((ArraySlice<UInt8>) -> Void)?, _ path: String) throws(Failure) {
        var left = count
        while left > 0 {
            if pending.isEmpty { try receive(path) }
            let used = min(left, pending.count)
            sink?(buffer[pending.lowerBound..<pending.lowerBound + used])
            pending = (pending.lowerBound + used)..<pending.upperBound
            left -= used
        }
    }

    private func receive(_ path: String) throws(Failure) {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .transport("\(path): cut after \(count == 0 ? "the server closed" : "errno \(errno)")") }
            pending = 0..<count
            return
        }
    }
}
