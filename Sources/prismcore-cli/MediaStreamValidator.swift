import Foundation

/// Apple's own validator, where it is installed: a second opinion, run as a program.
struct MediaStreamValidator {
    struct Outcome: Codable {
        /// `nil`: it was not there to run.
        var status: Int32?
        var said: String

        static let notFound = Outcome(status: nil, said: "")
        var isFine: Bool { status ?? 0 == 0 }
        var text: String {
            switch status {
            case nil: "not installed"
            case 0?: "no complaint"
            case let status?: "exit \(status): \(said)"
            }
        }
    }

    private let program: URL

    /// Looks through PATH, and where Apple's package puts it.
    static func find() -> MediaStreamValidator? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/local/bin"]
        for folder in folders {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("mediastreamvalidator")
            if FileManager.default.isExecutableFile(atPath: file.path) { return MediaStreamValidator(program: file) }
        }
        return nil
    }

    /// Runs it on a thread of its own: it reads the whole presentation.
    func run(_ playlist: URL) async -> Outcome {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: runBlocking(playlist)) }.start()
        }
    }

    private func runBlocking(_ playlist: URL) -> Outcome {
        let report = FileManager.default.temporaryDirectory.appendingPathComponent("prism-validation-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: report) }
        let process = Process()
        process.executableURL = program
        process.arguments = ["-O", report.path, playlist.absoluteString]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(status: process.terminationStatus, said: String(decoding: output.suffix(4000), as: UTF8.self))
        } catch {
            return Outcome(status: -1, said: "it could not be run")
        }
    }
}
