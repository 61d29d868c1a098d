import Foundation

/// A plain TCP client, for what curl will not send.
final class RawClient: Sendable {
    let descriptor: Int32
    /// False when nobody listens there.
    let isConnected: Bool

    /// - Parameter receiveBuffer: a small one makes the server's sends block early.
    init(port: UInt16, receiveBuffer: Int32? = nil, address host: UInt32 = 0x7F00_0001) {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        // A hang becomes a failure.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: host.bigEndian)
        let result = withUnsafePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        isConnected = result == 0
    }

    deinit { Foundation.close(descriptor) }

    @discardableResult func send(_ text: String) -> RawClient {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return self }
            bytes.removeFirst(count)
        }
        return self
    }

    /// A GET with Host.
    @discardableResult func get(_ target: String, _ fields: String = "", method: String = "GET", version: String = "1.1") -> RawClient {
        send("\(method) \(target) HTTP/\(version)\r\nHost: localhost\r\n\(fields)\r\n")
    }

    /// Whether an answer, or the end of the connection, is there or comes within `milliseconds`.
    func hasNews(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Whether the server has ended the connection and sent nothing before.
    var isTurnedOut: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || count < 0 && errno == ECONNRESET
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset.
    func reset() {
        var off = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
        // A second descriptor would keep the socket; shutting down is not a reset. Connecting to nowhere closes it with one.
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Up to `count` bytes; fewer at the end of the stream.
    func receive(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
            guard got > 0 else { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    func receiveText(_ count: Int) -> String { String(decoding: receive(count), as: UTF8.self) }

    /// Up to and with the empty line.
    func receiveHead() -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = receive(1)
            if byte.isEmpty { break }
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Head and as much content as Content-Length says.
    func receiveAnswer() -> (head: String, content: String) {
        let head = receiveHead()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        return (head, receiveText(length))
    }

    /// Everything until the server ends the connection.
    func receiveToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = receive(64 * 1024)
            all += part
            if part.count < 64 * 1024 { return all }
        }
    }

    func receiveTextToEnd() -> String { String(decoding: receiveToEnd(), as: UTF8.self) }
}
