internal import BitsAndTime
internal import Foundation
internal import LoopbackHTTP
internal import Remux

/// What stands in the addresses and entity-tags of everything a session serves: two sessions share it only if they serve the same bytes.
///
/// Segments, initialization segments and planned playlists never change, so caches may keep them for ever. But ports are given out again, and
/// `http://127.0.0.1:8080/seg0.m4s` is another film tomorrow, which a cache that need not ask would never learn. So their addresses hold the
/// identity, and what has an address without it must be revalidated; its tag holds the identity too, so that nothing another session
/// served can be taken as still right.
///
/// The bytes of a planned session follow from the source's and from the plan. Of a local file the system keeps a record (device, number, size,
/// times of change to the nanosecond) that no write leaves as it was: such a session's identity is made from that, the plan, the initialization
/// segments and the program that runs, and a cache that outlives it serves the next session of the same film. What is known of any other
/// source is not certain enough to keep bytes by for a year, and where a sequential session cuts may depend on when it is
/// asked: those are given 80 random bits.
struct SessionIdentity: Sendable, Equatable {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    /// Sixteen letters and digits.
    let name: String

    /// - Parameter sound: What is done to the sound, which no initialization segment shows.
    init(source url: URL, renditions: [Rendition], plan: SegmentPlan?, sound: String) {
        guard let plan, url.isFileURL, let file = FileRecord(path: url.path(percentEncoded: false)) else {
            var generator = SystemRandomNumberGenerator()
            self.init(bits: (generator.next(), generator.next()))
            return
        }
        var hash = Fingerprint()
        hash.add(file)
        if let program = Bundle.main.executablePath.flatMap(FileRecord.init(path:)) { hash.add(program) }
        hash.add(Array(FFmpegBuild.version.utf8))
        for rendition in renditions {
            hash.add(Array(rendition.id.directory.utf8))
            hash.add(rendition.initialization)
        }
        hash.add(Array(sound.utf8))
        for segment in plan.segments {
            for time in [segment.start, segment.end] {
                hash.add(time.ticks)
                hash.add(Int64(time.timescale))
            }
        }
        self.init(bits: hash.bits)
    }

    private init(bits: (UInt64, UInt64)) {
        name = String([bits.0, bits.1].flatMap { half in (0..<8).map { Self.alphabet[Int(half >> (UInt64($0) * 5) & 31)] } })
    }

    /// First component of the addresses that are good for ever, with its slash.
    var directory: String { name + "/" }

    /// The strong tag of a resource whose bytes do not change while the session lives.
    func etag(_ resource: String) -> String { "\"\(name):\(resource)\"" }

    /// The strong tag of bytes that may.
    func etag(of body: ResourceBody) -> String {
        var hash = Fingerprint()
        for case .bytes(let bytes) in body.pieces { hash.add(bytes) }
        return "\"\(name)-\(String(hash.bits.0, radix: 16))\""
    }
}

/// What the system remembers of a file and changes with every write to it.
private struct FileRecord: Equatable {
    let numbers: [Int64]

    /// Nil for what is no regular file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        numbers =
            [Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size)]
            + times.flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
    }
}

/// FNV-1a, twice over with different starts. Nobody gains by a collision: who could choose what is hashed chooses the film that is played.
private struct Fingerprint {
    private(set) var bits: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)

    mutating func add(_ byte: UInt8) {
        bits.0 = (bits.0 ^ UInt64(byte)) &* 0x100_0000_01B3
        bits.1 = (bits.1 ^ UInt64(byte)) &* 0x100_0000_01B3
        bits.1 ^= bits.1 >> 29
    }

    /// Bytes with their count, so that no two lists run together.
    mutating func add(_ bytes: [UInt8]) {
        add(Int64(bytes.count))
        for byte in bytes { add(byte) }
    }

    mutating func add(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
    }

    mutating func add(_ file: FileRecord) {
        for number in file.numbers { add(number) }
    }
}
