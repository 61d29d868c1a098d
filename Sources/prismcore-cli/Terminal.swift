import Foundation
import PrismCore

/// What people read: errors and progress on standard error, results on standard output.
enum Terminal {
    static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Prints a line at once, also into a pipe.
    static func line(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// Rewrites one status line, on a terminal only.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
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
    static func text(_ error: any Error) -> String { "\(PrismCoreError.classify(error))" }
}
