package import Foundation

/// A folder of media made by the `ffmpeg` command, removed with the value.
package final class FFmpegFixture: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("prism-fixture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Runs `ffmpeg` with these arguments and the output's name last, on a thread of its own: a blocked cooperative pool stops every test.
    @discardableResult
    package func make(_ name: String, _ arguments: String) async throws -> URL {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try self.makeBlocking(name, arguments) }) }.start()
        }
    }

    /// An AVI without the list of its chunks, as a recorder leaves it whose power went: neither an index nor headers to walk, so it gets no plan.
    package func makeUnindexed(_ name: String, _ arguments: String) async throws -> URL {
        var bytes = [UInt8](try Data(contentsOf: try await make("whole-" + name, arguments + " -f avi")))
        let mark = Array("idx1".utf8)
        guard let index = bytes.indices.last(where: { bytes[$0...].starts(with: mark) }) else { throw Failure(description: "no idx1 in \(name)") }
        bytes.removeSubrange(index...)
        try Data(bytes).write(to: url(name))
        return url(name)
    }

    /// The same, blocking: for tests that are not async.
    @discardableResult
    package func makeBlocking(_ name: String, _ arguments: String) throws -> URL {
        let output = url(name)
        let words = arguments.split(separator: " ").map { $0.replacingOccurrences(of: "{folder}", with: folder.path) }
        let result = try Self.run(["ffmpeg", "-nostdin", "-v", "error", "-y"] + words + [output.path])
        guard result.status == 0 else { throw Failure(description: "ffmpeg \(arguments): \(String(decoding: result.output, as: UTF8.self))") }
        return output
    }

    /// Runs a command to its end; standard output and error together.
    package static func run(_ words: [String]) throws -> (status: Int32, output: [UInt8]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, [UInt8](output))
    }

    /// Twelve seconds of moving picture with a counter, and a tone.
    package static func inputs(seconds: Int = 12, rate: String = "24", tone: Int = 440, sampleRate: Int = 48000) -> String {
        "-f lavfi -i testsrc2=s=160x90:r=\(rate):d=\(seconds) -f lavfi -i sine=\(tone):r=\(sampleRate):d=\(seconds)"
    }
}
