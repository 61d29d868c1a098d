internal import BitsAndTime
internal import HLS

/// A media playlist by itself (RFC 8216 §4.3.2, §4.3.3).
enum MediaPlaylistCheck {
    static func check(_ model: MediaPlaylistModel, in document: PlaylistDocument, into findings: inout Findings) {
        for fault in model.faults {
            let rule: Rule =
                switch fault.kind {
                case .extinf: .extinf
                case .missingDuration: .extinfMissing
                case .byteRange: .byteRange
                case .byteRangeStart: .byteRangeStart
                case .dangling: .dangling
                case .date: .date
                }
            findings.add(rule, document.place(fault.line), fault.text)
        }
        if let target = model.target {
            for segment in model.segments {
                guard let duration = segment.duration else { continue }
                let rounded = duration.converted(to: 1).ticks
                if rounded > Int64(target) {
                    findings.add(.overTarget, document.place(segment.line), "\(segment.uri) lasts \(seconds(duration)), TARGETDURATION is \(target)")
                }
            }
        } else {
            findings.add(.targetMissing, document.place(), "no EXT-X-TARGETDURATION")
        }
        if model.segments.isEmpty { findings.add(model.isEnded ? .noSegments : .noSegmentsYet, document.place(), "no segment is listed") }
        if model.type == "VOD", !model.isEnded { findings.add(.vodOpen, document.place(), "PLAYLIST-TYPE is VOD, and EXT-X-ENDLIST is missing") }
        if model.type == nil, model.isEnded, model.mediaSequence == 0 { findings.add(.typeMissing, document.place(), "complete, and without EXT-X-PLAYLIST-TYPE") }
        if model.discontinuitySequence == nil, model.type == nil, !model.isEnded, let cut = model.segments.first(where: \.isDiscontinuity) {
            findings.add(.discontinuitySequence, document.place(cut.line), "a live playlist with discontinuities and no EXT-X-DISCONTINUITY-SEQUENCE")
        }
        checkStart(model, in: document, into: &findings)
        checkKeys(document, into: &findings)
        checkServerControl(model, in: document, into: &findings)
        checkDateRanges(document, into: &findings)
    }

    private static func checkStart(_ model: MediaPlaylistModel, in document: PlaylistDocument, into findings: inout Findings) {
        guard let tag = document.first("#EXT-X-START"), let text = StrictAttributeList(parsing: tag.value ?? "")["TIME-OFFSET"] else { return }
        let isNegative = text.hasPrefix("-")
        guard let offset = DecimalSeconds.time(isNegative ? String(text.dropFirst()) : text) else { return }
        // A playlist that still grows will reach further.
        if offset > model.total, model.isEnded || isNegative {
            findings.add(.start, document.place(tag.line), "TIME-OFFSET \(text) lies outside the \(seconds(model.total)) listed")
        }
    }

    private static func checkKeys(_ document: PlaylistDocument, into findings: inout Findings) {
        for tag in document.tags where tag.name == "#EXT-X-KEY" || tag.name == "#EXT-X-SESSION-KEY" {
            let list = StrictAttributeList(parsing: tag.value ?? "")
            let place = document.place(tag.line)
            if list["METHOD"] == "NONE" {
                if list.items.count > 1 { findings.add(.key, place, "METHOD=NONE takes no other attribute") }
                if tag.name == "#EXT-X-SESSION-KEY" { findings.add(.key, place, "METHOD of EXT-X-SESSION-KEY is NONE") }
            } else if list["METHOD"] != nil, list["URI"] == nil {
                findings.add(.key, place, "a key without URI")
            }
            if let vector = list["IV"], AttributeDefinition.isHexadecimal(vector), vector.count > 34 { findings.add(.key, place, "IV has more than 128 bits") }
        }
    }

    private static func checkServerControl(_ model: MediaPlaylistModel, in document: PlaylistDocument, into findings: inout Findings) {
        guard let tag = document.first("#EXT-X-SERVER-CONTROL"), let target = model.target else { return }
        let list = StrictAttributeList(parsing: tag.value ?? "")
        func value(_ name: String) -> MediaTime? { list[name].flatMap { DecimalSeconds.time($0) } }
        let whole = MediaTime(ticks: Int64(target), timescale: 1)
        if let hold = value("HOLD-BACK"), hold < whole + whole + whole {
            findings.add(.serverControl, document.place(tag.line), "HOLD-BACK \(seconds(hold)) is less than three target durations")
        }
        if let skip = value("CAN-SKIP-UNTIL"), skip < MediaTime(ticks: Int64(target) * 6, timescale: 1) {
            findings.add(.serverControl, document.place(tag.line), "CAN-SKIP-UNTIL \(seconds(skip)) is less than six target durations")
        }
        guard let info = document.first("#EXT-X-PART-INF"), let part = StrictAttributeList(parsing: info.value ?? "")["PART-TARGET"].flatMap({ DecimalSeconds.time($0) })
        else { return }
        guard let hold = value("PART-HOLD-BACK") else {
            findings.add(.serverControl, document.place(tag.line), "parts without PART-HOLD-BACK")
            return
        }
        if hold < part + part { findings.add(.serverControl, document.place(tag.line), "PART-HOLD-BACK \(seconds(hold)) is less than two part target durations") }
    }

    private static func checkDateRanges(_ document: PlaylistDocument, into findings: inout Findings) {
        for tag in document.tags where tag.name == "#EXT-X-DATERANGE" {
            let list = StrictAttributeList(parsing: tag.value ?? "")
            guard list["END-ON-NEXT"] != nil else { continue }
            if list["CLASS"] == nil { findings.add(.dateRange, document.place(tag.line), "END-ON-NEXT without CLASS") }
            if list["DURATION"] != nil || list["END-DATE"] != nil { findings.add(.dateRange, document.place(tag.line), "END-ON-NEXT with DURATION or END-DATE") }
        }
    }

    static func seconds(_ time: MediaTime) -> String { DecimalSeconds.text(time) + " s" }
}

extension Rule {
    static let extinf = Rule("segment.extinf", .must, "RFC 8216 §4.3.2.1", fix: "Write #EXTINF:seconds,[title].")
    static let extinfMissing = Rule("segment.extinf-missing", .must, "RFC 8216 §4.3.2.1", fix: "Put EXTINF before each segment.")
    static let byteRange = Rule("segment.byte-range", .must, "RFC 8216 §4.3.2.2", fix: "Write length@offset in decimal integers.")
    static let byteRangeStart = Rule(
        "segment.byte-range-start", .must, "RFC 8216 §4.3.2.2", fix: "Say the offset, or let the range follow one of the same resource.")
    static let dangling = Rule("segment.no-uri", .must, "RFC 8216 §4.3.2", fix: "Add the URI, or take the tags away.")
    static let date = Rule("segment.date", .must, "RFC 8216 §4.3.2.6", fix: "Write a date with time and zone, as 2026-01-31T12:00:00.000Z.")
    static let overTarget = Rule("segment.over-target", .must, "RFC 8216 §4.3.3.1, Apple HLS Authoring 7.7", fix: "Raise EXT-X-TARGETDURATION, or cut shorter.")
    static let targetMissing = Rule("playlist.target-missing", .must, "RFC 8216 §4.3.3.1", fix: "Add EXT-X-TARGETDURATION.")
    static let noSegments = Rule("playlist.no-segments", .must, "RFC 8216 §4.3.2", fix: "List the segments.")
    static let noSegmentsYet = Rule("playlist.no-segments-yet", .note, "RFC 8216 §6.2.2", fix: "Publish the playlist once there is something to play.")
    static let vodOpen = Rule("playlist.vod-without-end", .must, "RFC 8216 §4.3.3.4, §4.3.3.5", fix: "Add EXT-X-ENDLIST: what may not change is complete.")
    static let typeMissing = Rule("playlist.type-missing", .should, "Apple HLS Authoring 8.6", fix: "Add EXT-X-PLAYLIST-TYPE:VOD.")
    static let discontinuitySequence = Rule("playlist.discontinuity-sequence", .should, "RFC 8216 §6.2.2, Apple HLS Authoring 8.17", fix: "Add the tag.")
    static let start = Rule("playlist.start", .should, "RFC 8216 §4.3.5.2", fix: "Keep TIME-OFFSET within the playlist.")
    static let key = Rule("segment.key", .must, "RFC 8216 §4.3.2.4, §4.3.4.5", fix: "Give METHOD and URI; nothing with NONE.")
    static let serverControl = Rule("playlist.server-control", .must, "rfc8216bis §4.4.3.8", fix: "Hold clients back far enough.")
    static let dateRange = Rule("segment.date-range", .must, "RFC 8216 §4.3.2.7", fix: "Give CLASS, and neither DURATION nor END-DATE.")
}
