#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Clients there was no place for: told so (503), and kept a moment so that the answer reaches them. Used by the listener's thread alone, which
/// waits for nobody here.
///
/// Closing at once would reset the connection when its request arrives, and the reset can overtake the answer.
struct TurnedAway {
    private struct Client {
        let descriptor: Int32
        let deadline: ContinuousClock.Instant
        var bytesLeft = 64 * 1024
    }

    /// The oldest goes when there are more.
    private static let capacity = 64
    private static let patience: Duration = .seconds(1)

    private var clients: [Client] = []
    private var scratch = [UInt8](repeating: 0, count: 4096)

    /// When the next one is dropped unasked.
    var deadline: ContinuousClock.Instant? { clients.first?.deadline }

    var descriptors: [Int32] { clients.map(\.descriptor) }

    /// Takes over `descriptor`.
    mutating func add(_ descriptor: Int32, now: ContinuousClock.Instant) {
        let socket = ClientSocket(descriptor: descriptor)
        var head = Response(refusing: .serviceUnavailable).head
        head.add("Date", HTTPDate.string(unixSeconds: Int64(time(nil))))
        head.add("Connection", "close")
        var bytes: [UInt8] = []
        head.serialize(into: &bytes)
        // A new socket has room for these few bytes.
        guard socket.sendWithoutWaiting(bytes + Response.line(of: .serviceUnavailable)) else { return closeDescriptor(descriptor) }
        shutdown(descriptor, Int32(SHUT_WR))
        if clients.count >= Self.capacity { closeDescriptor(clients.removeFirst().descriptor) }
        clients.append(Client(descriptor: descriptor, deadline: now + Self.patience))
    }

    /// Drops what came, and those who are done, have said too much, or had their time.
    mutating func attend(now: ContinuousClock.Instant) {
        guard !clients.isEmpty else { return }
        for index in clients.indices.reversed() {
            if Self.isDone(&clients[index], scratch: &scratch, now: now) { closeDescriptor(clients.remove(at: index).descriptor) }
        }
    }

    private static func isDone(_ client: inout Client, scratch: inout [UInt8], now: ContinuousClock.Instant) -> Bool {
        if now >= client.deadline { return true }
        while client.bytesLeft > 0 {
            let count = scratch.withUnsafeMutableBytes { recv(client.descriptor, $0.baseAddress, $0.count, 0) }
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR }
            client.bytesLeft -= count
        }
        return true
    }

    mutating func removeAll() {
        for client in clients { closeDescriptor(client.descriptor) }
        clients = []
    }
}
