import Foundation
import Libav

/// Media made once a test process by the `ffmpeg` command, in a temporary directory.
enum Fixtures {
    struct ToolFailure: Error { let arguments: [String] }

    static let directory: String = {
        let path = NSTemporaryDirectory() + "/prism-libav-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: Fixtures.directory) }
        return path
    }()

    /// 4 s at 24/s with B-frames and a keyframe a second, AAC beside it; Cues at the end.
    static let matroska = made("base.mkv", [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=4", "-f", "lavfi", "-i", "sine=r=48000:d=4",
        "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-bf", "3", "-g", "24", "-pix_fmt", "yuv420p",
        // Said of the frames: FFmpeg 7 lets what they say win over what the encoder is told.
        "-vf", "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv", "-c:a", "aac",
    ])
    static let mp4 = made("base.mp4", ["-i", matroska, "-c", "copy"])
    static let transportStream = made("base.ts", ["-i", matroska, "-c", "copy"])
    /// AVI has decode times only, and libav leaves the pictures that B-frames overtake without a presentation time.
    static let avi = made("base.avi", ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=2", "-c:v", "mpeg4", "-bf", "2", "-g", "12"])
    static let aac = made("aac.m4a", ["-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a", "aac"])
    static let opus = made("opus.mkv", ["-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a", "libopus"])
    static let chaptered: String = {
        let list = file("chapters.txt", Array("""
            ;FFMETADATA1
            title=A film
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1500
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1500
            END=4000
            title=Two

            """.utf8))
        return made("chapters.mkv", [
            "-i", matroska, "-f", "ffmetadata", "-i", list, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-map_metadata", "1",
            "-map_chapters", "1", "-c", "copy", "-metadata:s:a:0", "language=ces", "-metadata:s:a:0", "title=Česky",
            "-metadata:s:a:1", "language=eng", "-disposition:a:0", "default", "-disposition:a:1", "comment+hearing_impaired",
        ])
    }()

    static func file(_ name: String, _ bytes: [UInt8]) -> String {
        let path = directory + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        return path
    }

    static func bytes(of path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

    /// Standard output of a tool found on the PATH.
    static func run(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ToolFailure(arguments: arguments) }
        return String(decoding: data, as: UTF8.self)
    }

    private static func made(_ name: String, _ arguments: [String]) -> String {
        let path = directory + "/" + name
        _ = try? run("ffmpeg", ["-v", "error", "-y", "-nostdin"] + arguments + ["file:" + path])
        return path
    }
}

/// Runs blocking work on a thread of its own, off the pool the tests share.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// What identifies a packet whatever way it was read.
struct PacketKey: Hashable, Sendable {
    let streamIndex: Int
    let pts: Int64?
    let byteCount: Int

    static func all(of demuxer: Demuxer) throws -> [PacketKey] {
        var keys: [PacketKey] = []
        while let packet = try demuxer.readPacket() {
            keys.append(PacketKey(streamIndex: packet.streamIndex, pts: packet.pts, byteCount: packet.byteCount))
        }
        return keys
    }
}

/// The error `body` throws, for comparing kinds.
func failure(_ body: () throws -> Void) -> LibavError? {
    do {
        try body()
        return nil
    } catch { return error as? LibavError }
}
