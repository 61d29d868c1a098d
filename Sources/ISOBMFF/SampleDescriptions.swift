internal import BitsAndTime

/// What the samples of each track of a movie may be, by its `stsd` (ISO/IEC 14496-12:2022 §8.5.2): a track may change its codec's
/// configuration, or be encrypted from somewhere on, and says so here before the first sample.
package struct SampleDescriptions: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// Format of the sample entry: `encv` and its like for one that is protected.
        package let format: FourCharacterCode
        /// Content of `avcC`, `hvcC` or `av1C`; `nil` for other codecs.
        package let configuration: [UInt8]?

        /// §8.12: the real format stands inside.
        package var isProtected: Bool { ["encv", "enca", "encs", "enct"].contains(format) }
    }

    /// Entries in their order, by track_ID.
    package let tracks: [UInt32: [Entry]]
    /// RFC 5646 tags of `elng` (§8.4.6), by track_ID: what `mdhd` has no room for.
    package let languages: [UInt32: String]

    /// Boxes of one container, and bytes of one `stsd`, looked at before giving up.
    private static let boxLimit = 4096
    private static let tableLimit = 1 << 20

    /// Reads the headers on the way and the `stsd` boxes, not the sample tables beside them.
    ///
    /// - Parameters:
    ///   - moov: Where the `moov` box lies.
    ///   - read: Bytes at an offset; fewer than asked at the end of the file.
    /// - Throws: `ParseError`, and what `read` throws.
    package init(moov: Range<Int64>, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws {
        func children(_ range: Range<Int64>) throws -> [(type: FourCharacterCode, content: Range<Int64>)] {
            var found: [(type: FourCharacterCode, content: Range<Int64>)] = []
            var at = range.lowerBound
            while at < range.upperBound, found.count < Self.boxLimit {
                var reader = ByteReader(try read(at, 16), context: "moov")
                var size = Int64(try reader.readUInt32())
                let type = FourCharacterCode(try reader.readUInt32())
                if size == 0 { size = range.upperBound - at }
                if size == 1 { size = Int64(clamping: try reader.readUInt64()) }
                guard size >= reader.offset, size <= range.upperBound - at else { throw ParseError(.malformed, at: Int(clamping: at), in: "\(type)", "size \(size)") }
                found.append((type, (at + Int64(reader.offset))..<(at + size)))
                at += size
            }
            return found
        }
        guard let whole = try children(moov).first, whole.type == "moov" else { throw ParseError(.malformed, at: Int(clamping: moov.lowerBound), in: "moov", "no moov") }
        var tracks: [UInt32: [Entry]] = [:]
        var languages: [UInt32: String] = [:]
        for track in try children(whole.content) where track.type == "trak" {
            var number: UInt32?
            var entries: [Entry] = []
            var language: String?
            for part in try children(track.content) {
                if part.type == "tkhd" {
                    var reader = ByteReader(try read(part.content.lowerBound, 24), context: "tkhd")
                    let isLong = try reader.readUInt8() == 1
                    _ = try reader.readBytes(isLong ? 19 : 11)
                    number = try reader.readUInt32()
                }
                guard part.type == "mdia" else { continue }
                if let tag = try children(part.content).first(where: { $0.type == "elng" })?.content, tag.count > 4 {
                    language = String(decoding: try read(tag.lowerBound + 4, min(tag.count - 4, 128)).prefix { $0 != 0 }, as: UTF8.self)
                }
                var path = part.content
                for name in ["minf", "stbl", "stsd"] as [FourCharacterCode] {
                    path = try children(path).first { $0.type == name }?.content ?? 0..<0
                }
                guard !path.isEmpty, path.count <= Self.tableLimit else { continue }
                entries = try Self.entries(read(path.lowerBound, path.count))
            }
            guard let number else { continue }
            tracks[number] = entries
            languages[number] = language
        }
        (self.tracks, self.languages) = (tracks, languages)
    }

    private static func entries(_ table: [UInt8]) throws(ParseError) -> [Entry] {
        try Box.sequence(in: table.dropFirst(8), context: "stsd").map { entry throws(ParseError) in
            // Fields of a VisualSampleEntry (§12.1.3): other entries have fewer, and none of the boxes sought.
            let inner = entry.payload.count >= 78 ? (try? entry.children(after: 78, context: "stsd")) ?? [] : []
            let configuration = inner.first { ["avcC", "hvcC", "av1C"].contains($0.type) }
            return Entry(format: entry.type, configuration: configuration.map { Array($0.payload) })
        }
    }
}
