internal import CPlacement

/// When a connection's thread should run on the processor its client sends from.
///
/// A client on this machine that asks for one small thing after the other works while the thread waits, and waits while it works. On two
/// processors each wakes the other from sleep for every request (measured on a virtual machine: 100 µs, with 25 µs of work), and the
/// scheduler leaves them there, since a processor that sleeps looks like a good place to wake on. On one they take turns. Who sends much
/// to its client, or has others to serve at the same time, is better off beside it.
struct ThreadPlacement {
    /// Requests in a row without one of another connection, before a look at where the client is.
    static let patience = 16
    /// Answers longer than this take time to send, in which the client can work.
    static let smallAnswer = 64 * 1024

    private var streak = 0

    /// Notes a request; true when it is time to look.
    ///
    /// - Parameter isAlone: No other connection had a request since this one's last.
    mutating func noteRequest(isAlone: Bool) -> Bool {
        streak = isAlone ? streak + 1 : 0
        guard streak >= Self.patience else { return false }
        streak = 0
        return true
    }

    mutating func noteAnswer(byteCount: Int) {
        if byteCount > Self.smallAnswer { streak = 0 }
    }

    /// Moves the calling thread to where `socket`'s client last sent from. It stays allowed to run wherever it was.
    static func joinClient(of socket: ClientSocket) { _ = prism_join_sender(socket.descriptor) }
}
