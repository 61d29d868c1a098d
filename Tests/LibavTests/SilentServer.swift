import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A listening socket on 127.0.0.1, any free port, that says nothing unless told to.
final class SilentServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init?() {
        #if canImport(Darwin)
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 4) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard listener >= 0, isBound else { return nil }
    }

    deinit { _ = close(listener) }

    /// Waits for a client; the caller closes the socket.
    func acceptClient() -> Int32 { accept(listener, nil, nil) }

    /// Waits for one request, answers it with `response`, and gives the request.
    func answer(_ response: String) -> String {
        let client = acceptClient()
        defer { _ = close(client) }
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).hasSuffix("\r\n\r\n") {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            request += chunk[..<count]
        }
        _ = send(client, response, response.utf8.count, Int32(MSG_NOSIGNAL))
        return String(decoding: request, as: UTF8.self)
    }
}
