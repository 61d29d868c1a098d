import Foundation
import TestSupport

/// A film whose pictures carry line 21 captions: an H.264 stream of ours with messages put before its slices (A/53 Part 4).
struct CaptionedFilm {
    /// Byte pairs by picture, without their parity.
    private var pairs: [Int: (UInt8, UInt8)] = [:]

    /// Sends codes and text from a picture on, a pair a picture.
    mutating func send(_ bytes: [UInt8], from picture: Int) {
        for (number, at) in stride(from: 0, to: bytes.count, by: 2).enumerated() { pairs[picture + number] = (bytes[at], at + 1 < bytes.count ? bytes[at + 1] : 0) }
    }

    /// A caption written unseen and shown at a picture, until another code clears it: two of each code, as they are sent.
    mutating func popOn(_ text: String, shownAt picture: Int) {
        let words = Array(text.utf8) + (text.utf8.count % 2 == 1 ? [0] : [])
        let bytes: [UInt8] = [0x14, 0x20, 0x14, 0x20, 0x14, 0x2E, 0x14, 0x2E, 0x14, 0x70, 0x14, 0x70] + words
        send(bytes, from: picture - bytes.count / 2)
        send([0x14, 0x2F, 0x14, 0x2F], from: picture)
    }

    mutating func clear(at picture: Int) { send([0x14, 0x2C, 0x14, 0x2C], from: picture) }

    /// - Parameter pictures: 24 a second, in coding order, one access unit each.
    func make(_ name: String, in fixture: FFmpegFixture, seconds: Int, muxing: String = "") async throws -> URL {
        let plain = try await fixture.make(
            "plain.h264",
            "-f lavfi -i testsrc2=s=160x90:r=24:d=\(seconds) -c:v libx264 -preset ultrafast -bf 0 -g 48 -x264-params aud=1:slices=1 -bsf:v h264_mp4toannexb -f h264")
        try Data(captioned([UInt8](try Data(contentsOf: plain)))).write(to: fixture.url("captioned.h264"))
        return try await fixture.make(name, "-r 24 -i {folder}/captioned.h264 -f lavfi -i sine=440:d=\(seconds) -map 0 -map 1 -c:v copy -c:a aac \(muxing)")
    }

    /// The message goes behind each access unit delimiter.
    private func captioned(_ stream: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var picture = 0
        let starts = stream.indices.dropLast(4).filter { stream[$0] == 0 && stream[$0 + 1] == 0 && stream[$0 + 2] == 1 }
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : stream.count
            output += stream[start..<end]
            guard stream[start + 3] & 0x1F == 9 else { continue }
            output += message(picture)
            picture += 1
        }
        return output
    }

    private func message(_ picture: Int) -> [UInt8] {
        let pair = pairs[picture] ?? (0, 0)
        func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 0 ? byte | 0x80 : byte }
        let payload: [UInt8] = [0xB5, 0x00, 0x31] + Array("GA94".utf8) + [0x03, 0x41, 0xFF, 0xFC, odd(pair.0), odd(pair.1), 0xFF]
        return [0, 0, 0, 1, 0x06, 0x04, UInt8(payload.count)] + payload + [0x80]
    }
}
