import Foundation
import TestSupport
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file read through a named pipe: a source without index, length or way back, as live ones are.
final class PipedSource: Sendable {
    struct Failure: Error {
        let errno: Int32
    }

    let url: URL
    private let writer = Process()

    /// - Parameter file: Written into the pipe as fast as it is read.
    init(_ file: URL, in fixture: FFmpegFixture) throws {
        url = fixture.url("pipe-\(UUID().uuidString)")
        guard mkfifo(url.path, 0o600) == 0 else { throw Failure(errno: errno) }
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", "exec cat \"$0\" > \"$1\"", file.path, url.path]
        try writer.run()
    }

    deinit { writer.terminate() }
}
