internal import BitsAndTime

/// Whether the media playlists of one presentation go together (RFC 8216 §6.2.4, Apple 8.2, 8.3, 8.15, 8.22).
enum RenditionAgreementCheck {
    static func check(_ renditions: [RenditionRecord], into findings: inout Findings) {
        let media = renditions.filter { $0.role != .framesOnly }
        guard let first = media.first else { return }
        for other in renditions.dropFirst() {
            findings.part = other.part
            let place = Place(other.name)
            let mayDiffer = (other.role == .subtitles || other.role == .framesOnly) && other.model.type == "VOD"
            if let a = first.model.target, let b = other.model.target, a != b, !mayDiffer {
                findings.add(.targetsDiffer, place, "TARGETDURATION is \(b), the first playlist's \(a)")
            }
            if first.model.type != other.model.type {
                findings.add(.typesDiffer, place, "PLAYLIST-TYPE is \(other.model.type ?? "missing"), the first playlist's \(first.model.type ?? "missing")")
            }
            if first.model.hasDates != other.model.hasDates {
                findings.add(.datesDiffer, place, "EXT-X-PROGRAM-DATE-TIME is in one of it and the first playlist only")
            }
            if first.model.isEnded != other.model.isEnded { findings.add(.endsDiffer, place, "EXT-X-ENDLIST is in one of it and the first playlist only") }
            guard other.role != .framesOnly, first.model.isEnded, other.model.isEnded else { continue }
            checkLength(first, other, at: place, into: &findings)
            checkDiscontinuities(first, other, at: place, into: &findings)
            if other.role != .subtitles { checkBoundaries(first, other, at: place, into: &findings) }
        }
    }

    private static func length(_ rendition: RenditionRecord) -> MediaTime {
        rendition.segments.last.map { $0.listedStart + $0.duration } ?? .zero
    }

    private static func checkLength(_ first: RenditionRecord, _ other: RenditionRecord, at place: Place, into findings: inout Findings) {
        let (a, b) = (length(first), length(other))
        let difference = a > b ? a - b : b - a
        let target = MediaTime(ticks: Int64(max(first.model.target ?? 1, other.model.target ?? 1)), timescale: 1)
        if difference > target {
            findings.add(.lengthsDiffer, place, "it lists \(MediaPlaylistCheck.seconds(b)), the first playlist \(MediaPlaylistCheck.seconds(a))")
        } else if difference > MediaTime(ticks: 1, timescale: 1) {
            findings.add(.lengthsApart, place, "it lists \(MediaPlaylistCheck.seconds(b)), the first playlist \(MediaPlaylistCheck.seconds(a))")
        }
    }

    private static func checkDiscontinuities(_ first: RenditionRecord, _ other: RenditionRecord, at place: Place, into findings: inout Findings) {
        func cuts(_ rendition: RenditionRecord) -> Int { rendition.segments.last?.epoch ?? 0 }
        if cuts(first) != cuts(other) {
            findings.add(.discontinuitiesDiffer, place, "\(cuts(other)) discontinuities, the first playlist has \(cuts(first))")
        }
    }

    private static func checkBoundaries(_ first: RenditionRecord, _ other: RenditionRecord, at place: Place, into findings: inout Findings) {
        if first.segments.count != other.segments.count {
            findings.add(.boundaries, place, "\(other.segments.count) segments, the first playlist has \(first.segments.count)")
            return
        }
        for (a, b) in zip(first.segments, other.segments) {
            let apart = a.listedStart > b.listedStart ? a.listedStart - b.listedStart : b.listedStart - a.listedStart
            if apart > MediaTime(ticks: 100, timescale: 1000) {
                findings.add(.boundaries, place, "segment \(b.number) begins \(MediaPlaylistCheck.seconds(apart)) from the first playlist's")
                return
            }
        }
    }
}

extension Rule {
    static let targetsDiffer = Rule("renditions.target", .must, "RFC 8216 §6.2.4, Apple HLS Authoring 8.2", fix: "Use one TARGETDURATION in all media playlists.")
    static let typesDiffer = Rule("renditions.type", .must, "RFC 8216 §6.2.4", fix: "Give all media playlists the same EXT-X-PLAYLIST-TYPE.")
    static let datesDiffer = Rule("renditions.dates", .must, "RFC 8216 §6.2.4", fix: "Put EXT-X-PROGRAM-DATE-TIME into all media playlists or into none.")
    static let endsDiffer = Rule("renditions.end", .should, "RFC 8216 §6.2.4", fix: "End all media playlists together.")
    static let lengthsDiffer = Rule("renditions.length", .must, "RFC 8216 §6.2.4, Apple HLS Authoring 8.3, 8.7", fix: "Cover the same time in every rendition.")
    static let lengthsApart = Rule("renditions.length-apart", .should, "Apple HLS Authoring 8.3", fix: "Cover the same time in every rendition.")
    static let discontinuitiesDiffer = Rule(
        "renditions.discontinuities", .must, "RFC 8216 §6.2.4, Apple HLS Authoring 8.15", fix: "Mark discontinuities at the same times in every rendition.")
    static let boundaries = Rule("renditions.boundaries", .note, "Apple HLS Authoring 8.22", fix: "Cut all renditions at the same times.")
}
