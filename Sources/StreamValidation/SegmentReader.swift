internal import BitsAndTime
internal import Foundation
internal import ISOBMFF

/// Fetches one segment after another, its init segment first, and has each looked at.
struct SegmentReader: Sendable {
    let fetcher: any ResourceFetcher
    /// The multivariant playlist claims independent segments of all.
    let isIndependent: Bool

    /// Reads the next segment that was not read yet.
    ///
    /// - Parameter origin: Where playlist time zero lies on the media's timeline.
    /// - Returns: How many bytes came.
    func readNext(of rendition: inout RenditionRecord, origin: MediaTime?, into findings: inout Findings) async -> Int {
        let index = rendition.fetched
        rendition.fetched += 1
        let record = rendition.segments[index]
        guard let entry = rendition.entry(of: record) else {
            return 0  // It left the window before its turn came.
        }
        if entry.isGap { return 0 }
        if let map = entry.map { await readMap(map, number: record.map ?? 0, of: &rendition, into: &findings) }
        guard let fetched = await fetch(record.uri, entry.range, line: entry.line, of: rendition, into: &findings) else { return 0 }
        rendition.segments[index].byteCount = fetched.bytes.count
        let initialization = record.map.flatMap { rendition.initializations.indices.contains($0) ? rendition.initializations[$0] : nil }
        inspect(fetched, entry, initialization, &rendition, index: index, origin: origin, into: &findings)
        return fetched.bytes.count
    }

    private func readMap(_ map: Int, number: Int, of rendition: inout RenditionRecord, into findings: inout Findings) async {
        guard rendition.initializations.count <= number else { return }
        while rendition.initializations.count <= number { rendition.initializations.append(nil) }
        let found = rendition.model.maps[map]
        guard let fetched = await fetch(found.uri, found.range, line: found.line, of: rendition, into: &findings), let url = URL(string: found.uri, relativeTo: rendition.url)
        else { return }
        DeliveryCheck.check(fetched, .media, asked: url.absoluteURL, name: found.uri, into: &findings)
        if fetched.bytes.first == 0x47 { return }  // Program tables of a transport stream.
        rendition.initializations[number] = InitializationCheck.check(fetched.bytes, resource: found.uri, into: &findings)
    }

    private func fetch(_ uri: String, _ range: Range<Int>?, line: Int, of rendition: RenditionRecord, into findings: inout Findings) async -> Fetched? {
        guard !uri.isEmpty, let url = URL(string: uri, relativeTo: rendition.url)?.absoluteURL else {
            findings.add(.uri, Place(rendition.name, line: line), "\"\(uri)\" is no URI")
            return nil
        }
        do throws(FetchFailure) {
            let fetched = try await fetcher.fetch(url, range: range)
            if let range, fetched.bytes.count != range.count {
                findings.add(.rangeShort, Place(rendition.name, line: line), "\(uri): \(fetched.bytes.count) bytes for a range of \(range.count)")
            }
            return fetched
        } catch {
            findings.add(.unreachable, Place(uri), error.description)
            return nil
        }
    }

    private func inspect(
        _ fetched: Fetched, _ entry: MediaPlaylistModel.Segment, _ initialization: InitializationFacts?, _ rendition: inout RenditionRecord, index: Int,
        origin: MediaTime?, into findings: inout Findings
    ) {
        let record = rendition.segments[index]
        let bytes = fetched.bytes
        let kind = Self.kind(bytes)
        let isText = kind != .boxes && (rendition.role.isText || bytes.starts(with: "WEBVTT".utf8))
        if let url = URL(string: record.uri, relativeTo: rendition.url)?.absoluteURL {
            DeliveryCheck.check(fetched, isText ? .text : .media, asked: url, name: record.uri, into: &findings)
        }
        if bytes.isEmpty {
            findings.add(.segmentEmpty, Place(record.uri), "the segment has no bytes")
        } else if entry.isEncrypted, kind != .boxes {
            rendition.isOpaque = true
            findings.addOnce(.encrypted, Place(record.uri), "encrypted: not looked into")
        } else if isText {
            let window = origin.map { (record.listedStart + $0, record.listedStart + record.duration + $0) }
            WebVTTCheck.check(bytes, WebVTTCheck.Context(resource: record.uri, window: window.map { (start: $0.0, end: $0.1) }), into: &findings)
        } else if kind == .transport || kind == .packedAudio {
            rendition.isOpaque = true
            findings.addOnce(.otherFormat, Place(record.uri), kind == .transport ? "an MPEG transport stream: not looked into" : "packed audio: not looked into")
        } else if rendition.role == .framesOnly {
            checkFrame(bytes, at: Place(record.uri), into: &findings)
        } else {
            if entry.map == nil {
                findings.add(.mapMissingFor, Place(rendition.name, line: entry.line), "\(record.uri) has fragments, and no EXT-X-MAP comes before it")
            }
            rendition.segments[index].facts = SegmentCheck.check(
                bytes,
                SegmentCheck.Context(
                    resource: record.uri, initialization: initialization, isIndependent: isIndependent || rendition.model.isIndependent, isEncrypted: entry.isEncrypted),
                into: &findings)
        }
    }

    /// An I-frame's range begins with its moof; the mdat behind it may be cut off after the picture.
    private func checkFrame(_ bytes: [UInt8], at place: Place, into findings: inout Findings) {
        var reader = ByteReader(bytes, context: "i-frame")
        do throws(ParseError) {
            while true {
                let size = Int(try reader.readUInt32())
                let type = FourCharacterCode(try reader.readUInt32())
                if type == "moof" { return }
                guard ["styp", "sidx", "prft", "emsg", "free"].contains(type), size >= 8 else { break }
                try reader.skip(size - 8)
            }
        } catch {
            // Falls through: it ended before a moof came.
        }
        findings.add(.frameRange, place, "the range of an I-frame does not begin with its moof")
    }

    private enum Kind { case boxes, transport, packedAudio, other }

    private static func kind(_ bytes: [UInt8]) -> Kind {
        guard bytes.count >= 8 else { return .other }
        if bytes[0] == 0x47, bytes.count < 189 || bytes[188] == 0x47 { return .transport }
        if bytes.starts(with: [0x49, 0x44, 0x33]) || bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 || bytes[0] == 0x0B && bytes[1] == 0x77 { return .packedAudio }
        return bytes[4..<8].allSatisfy { (0x61...0x7A).contains($0) } && bytes[0] < 0x40 ? .boxes : .other
    }
}

extension Rule {
    static let rangeShort = Rule("segment.range-outside", .must, "RFC 8216 §4.3.2.2", fix: "Keep byte ranges within their resource.")
    static let encrypted = Rule("segment.encrypted", .note, "RFC 8216 §4.3.2.4", fix: "Nothing: this validator has no keys.")
    static let otherFormat = Rule("segment.other-format", .note, "RFC 8216 §3.2, §3.4", fix: "Nothing: this validator reads fragmented MP4 and WebVTT.")
    static let mapMissingFor = Rule(
        "segment.map-missing", .must, "RFC 8216 §3.3, §4.3.2.5, Apple HLS Authoring 8.20", fix: "Add EXT-X-MAP before the first segment.")
    static let frameRange = Rule("i-frames.range", .must, "Apple HLS Authoring 6.10", fix: "Begin an I-frame's range at its moof.")
}
