import Foundation
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A TCP port that accepts and says nothing.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let handle = descriptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(handle, raw, length) == 0 && listen(handle, 8) == 0 && getsockname(handle, raw, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Returns when somebody has connected.
    func connected() async {
        let handle = descriptor
        await withCheckedContinuation { continuation in
            Thread {
                var waiting = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
                _ = poll(&waiting, 1, 5000)
                continuation.resume()
            }.start()
        }
    }
}
