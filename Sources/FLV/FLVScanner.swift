package import BitsAndTime

/// Finds the keyframes of an FLV file that open segments, by the headers of its tags.
///
/// Adobe Flash Video File Format Specification 10.1, annex E.2, E.3.
package struct FLVScanner {
    /// Bytes looked through for the next tag behind damage.
    private static let resynchronisationByteCount: Int64 = 4 << 20
    private static let forwardLimit: Int64 = 10_000
    private static let backwardLimit: Int64 = 1_500

    /// Decode times in milliseconds, and where the tags begin.
    package let openings: [SegmentOpenings.Opening]
    /// Where the longest track ends, on the axis of decode times.
    package let end: Int64

    /// - Parameter rule: in milliseconds.
    /// - Throws: ``KeyframeScanError``, and what the window's reads throw.
    package init(window: ByteWindow, rule: SegmentOpenings) throws {
        guard let head = try window.bytes(at: 0, count: 9), head[0] == 0x46, head[1] == 0x4C, head[2] == 0x56 else {
            throw KeyframeScanError.layout("no FLV header")
        }
        var openings = rule
        var offset = (head[5..<9].reduce(Int64(0)) { $0 << 8 | Int64($1) }) + 4
        var clock: Int64?
        var latest: [Bool: (time: Int64, step: Int64)] = [:]
        while let front = try window.bytes(at: offset, count: FLVTag.headerByteCount + 1) {
            let run = try window.bytes(at: offset, count: FLVTag.readByteCount) ?? front
            guard let tag = FLVTag(run), offset + Int64(FLVTag.headerByteCount + tag.payloadByteCount) <= window.byteCount else {
                guard let found = try Self.resynchronised(window, from: offset + 1) else { break }
                offset = found
                continue
            }
            let time = Int64(tag.timestamp)
            let isVideo: Bool
            switch tag.kind {
            case .other:
                offset += Int64(tag.byteCount)
                continue
            case .audio: isVideo = false
            case .video(let picture):
                isVideo = true
                guard picture.isCoded else { break }
                if let clock, time - clock > Self.forwardLimit || time - clock < -Self.backwardLimit { throw KeyframeScanError.clockJumps(at: time) }
                clock = time
                if picture.isKeyframe { try openings.consider(time: time, position: offset) } else { try openings.check(reached: time) }
            }
            if let last = latest[isVideo] {
                if time > last.time { latest[isVideo] = (time, time - last.time) }
            } else {
                latest[isVideo] = (time, 0)
            }
            offset += Int64(tag.byteCount)
        }
        guard let last = openings.openings.last else { throw KeyframeScanError.noKeyframe }
        end = max(last.time + 1, latest.values.map { $0.time + $0.step }.max() ?? 0)
        try openings.check(reached: end)
        self.openings = openings.openings
    }

    /// The next tag whose length is repeated behind it, as every tag's is.
    private static func resynchronised(_ window: ByteWindow, from start: Int64) throws -> Int64? {
        var offset = start
        while offset < start + resynchronisationByteCount {
            let run = try window.run(at: offset, atLeast: 4096)
            guard run.count >= FLVTag.readByteCount else { return nil }
            var candidate: (offset: Int64, tag: FLVTag)?
            let limit = run.count - FLVTag.readByteCount
            for i in 0...limit {
                if let tag = FLVTag(UnsafeRawBufferPointer(rebasing: run[i..<(i + FLVTag.readByteCount)])), tag.payloadByteCount > 0 {
                    candidate = (offset + Int64(i), tag)
                    break
                }
            }
            guard let candidate else {
                offset += Int64(limit + 1)
                continue
            }
            let length = Int64(FLVTag.headerByteCount + candidate.tag.payloadByteCount)
            if let behind = try window.bytes(at: candidate.offset + length, count: 4), behind.reduce(Int64(0), { $0 << 8 | Int64($1) }) == length {
                return candidate.offset
            }
            offset = candidate.offset + 1
        }
        return nil
    }
}
