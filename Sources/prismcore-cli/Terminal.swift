import Foundation
import PrismCore

/// What people read: errors and progress on standard error, results on standard output.
enum Terminal {
    static func error(_ text: String) { write(text + "\n", to: .standardError) }

    /// Prints a line at once, also into a pipe.
    static func line(_ text: String) { write(text + "\n", to: .standardOutput) }

    /// A reader that has gone is no failure of ours, and `FileHandle.write(_:)` would trap on it.
    private static func write(_ text: String, to handle: FileHandle) { try? handle.write(contentsOf: Data(text.utf8)) }

    /// Rewrites one status line, on a terminal only.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K\(text)", to: .standardError)
    }

    static func endProgress() { progress("") }

    static func seconds(_ duration: Duration) -> String {
        let parts = duration.components
        return String(format: "%.3f s", Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
    }
}

enum Version { static let text = "0.1.0" }

/// Errors in words.
enum Failure {
    static func text(_ error: any Error) -> String {
        if let none = error as? LoopbackHTTPServer.NoLocalNetworkInterface { return "\(none)" }
        return "\(PrismCoreError.classify(error))"
    }
}
