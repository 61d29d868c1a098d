internal import BitsAndTime

/// Where the top-level boxes of an MP4 file lie (ISO/IEC 14496-12:2022 §6.2.3).
package struct TopLevelLayout: Sendable, Equatable {
    package var moovOffset: Int64?
    package var moovEnd: Int64?
    /// First `mdat` or `moof`.
    package var firstMediaOffset: Int64?
    package var hasFragments = false
    package var sidxOffset: Int64?
    package var mfraOffset: Int64?

    /// Boxes looked at before giving up: a fragmented film of a day in one-second fragments passes.
    package static let boxLimit = 200_000

    /// Walks box headers, reading sixteen bytes of each.
    ///
    /// - Parameters:
    ///   - stopsAtMedia: Ends at the first media box when `moov` came before it.
    ///   - read: Bytes at an offset; fewer than asked at the end of the file.
    package init(stopsAtMedia: Bool, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws {
        var at: Int64 = 0
        for _ in 0..<Self.boxLimit {
            let bytes = try read(at, 16)
            guard bytes.count >= 8 else { return }
            var reader = ByteReader(bytes, context: "box")
            var size = Int64(try reader.readUInt32())
            let type = FourCharacterCode(try reader.readUInt32())
            let isLarge = size == 1
            if isLarge { size = Int64(clamping: try reader.readUInt64()) }
            guard size >= (isLarge ? 16 : 8) || (size == 0 && !isLarge), at <= Int64.max - size else {
                throw ParseError(.malformed, at: Int(clamping: at), in: "\(type)", "size \(size)")
            }
            switch type {
            case "moov":
                moovOffset = at
                moovEnd = size == 0 ? nil : at + size
            case "moof":
                hasFragments = true
                if firstMediaOffset == nil { firstMediaOffset = at }
            case "mdat": if firstMediaOffset == nil { firstMediaOffset = at }
            case "sidx": if sidxOffset == nil { sidxOffset = at }
            case "mfra": mfraOffset = at
            default: break
            }
            if size == 0 || (stopsAtMedia && firstMediaOffset != nil && moovOffset != nil) { return }
            at += size
        }
    }
}
