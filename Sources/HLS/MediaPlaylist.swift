package import BitsAndTime

/// A media playlist (RFC 8216 §4.3.3): one rendition's segments in order.
package struct MediaPlaylist: Sendable, Equatable {
    package enum PlaylistType: String, Sendable, Equatable {
        /// Complete and never to change.
        case vod = "VOD"
        /// Grows at its end only.
        case event = "EVENT"
    }

    package struct Segment: Sendable, Equatable {
        package var uri: String
        package var duration: MediaTime
        /// EXT-X-DISCONTINUITY stands before it.
        package var isDiscontinuity: Bool
        /// URI of the init segment that applies from here on, where it is another.
        package var map: String?
        /// For people, after the duration; spaces around it and line ends in it are not kept.
        package var title: String

        package init(uri: String, duration: MediaTime, isDiscontinuity: Bool = false, map: String? = nil, title: String = "") {
            self.map = map
            self.uri = uri
            self.duration = duration
            self.isDiscontinuity = isDiscontinuity
            self.title = title
        }
    }

    package var version: Int
    package var targetDurationSeconds: Int
    package var mediaSequenceNumber: Int
    /// `nil`: segments may leave the front (a sliding window).
    package var playlistType: PlaylistType?
    /// URI of the init segment.
    package var map: String?
    package var segments: [Segment]
    /// EXT-X-ENDLIST stands at the end.
    package var isEnded: Bool
    /// EXT-X-INDEPENDENT-SEGMENTS (§4.3.5.1): every picture of a segment decodes from that segment alone.
    package var isIndependent: Bool
    /// EXT-X-START at the first picture (§4.3.5.2): a playlist that still grows is otherwise joined near its end.
    package var startsAtBeginning: Bool
    /// EXT-X-DISCONTINUITY-SEQUENCE (§4.3.3.3): discontinuities that have left the front.
    package var discontinuitySequence: Int

    package init(
        version: Int, targetDurationSeconds: Int, mediaSequenceNumber: Int, playlistType: PlaylistType?, map: String?, segments: [Segment],
        isEnded: Bool, isIndependent: Bool, startsAtBeginning: Bool = false, discontinuitySequence: Int = 0
    ) {
        self.discontinuitySequence = discontinuitySequence
        self.startsAtBeginning = startsAtBeginning
        self.version = version
        self.targetDurationSeconds = targetDurationSeconds
        self.mediaSequenceNumber = mediaSequenceNumber
        self.playlistType = playlistType
        self.map = map
        self.segments = segments
        self.isEnded = isEnded
        self.isIndependent = isIndependent
    }

    package func serialized() -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:\(version)\n#EXT-X-TARGETDURATION:\(targetDurationSeconds)\n#EXT-X-MEDIA-SEQUENCE:\(mediaSequenceNumber)\n"
        text.reserveCapacity(segments.count * 48 + 256)
        if discontinuitySequence > 0 { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n" }
        if let playlistType { text += "#EXT-X-PLAYLIST-TYPE:\(playlistType.rawValue)\n" }
        if isIndependent { text += "#EXT-X-INDEPENDENT-SEGMENTS\n" }
        if startsAtBeginning { text += "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES\n" }
        func append(map: String?) {
            guard let map else { return }
            var list = AttributeList()
            list.append("URI", quoted: map)
            text += "#EXT-X-MAP:\(list.serialized())\n"
        }
        append(map: map)
        for segment in segments {
            if segment.isDiscontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            append(map: segment.map)
            text += "#EXTINF:"
            text += DecimalSeconds.text(segment.duration)
            text += ","
            if !segment.title.isEmpty { text += segment.title.onOneLine }
            text += "\n"
            text += segment.uri
            text += "\n"
        }
        if isEnded { text += "#EXT-X-ENDLIST\n" }
        return text
    }

    /// Reads a media playlist. Tags not modelled here are passed over, as RFC 8216 §6.3.1 asks of clients; byte ranges
    /// are among them.
    package init(parsing text: String) throws(PlaylistError) {
        self.init(version: 1, targetDurationSeconds: 0, mediaSequenceNumber: 0, playlistType: nil, map: nil, segments: [], isEnded: false, isIndependent: false)
        var duration: MediaTime?
        var title = ""
        var discontinuity = false
        var nextMap: String?
        var hasTarget = false
        for (at, raw) in text.playlistLines.enumerated() {
            let line = at + 1
            let content = raw.trimmingSpaces
            if line == 1 {
                guard content == "#EXTM3U" else { throw PlaylistError(line: 1, "a playlist begins with #EXTM3U (RFC 8216 §4.3.1.1)") }
                continue
            }
            func number(_ prefix: String) throws(PlaylistError) -> Int? {
                guard content.hasPrefix(prefix) else { return nil }
                guard let value = Int(content.dropFirst(prefix.count)), value >= 0 else { throw PlaylistError(line: line, "no number: \(content)") }
                return value
            }
            // What a film has thousands of comes first.
            if content.hasPrefix("#EXTINF:") {
                guard let value = DecimalSeconds.time(content.dropFirst(8).prefix { $0 != "," }) else {
                    throw PlaylistError(line: line, "no duration: \(content)")
                }
                duration = value
                title = content.firstIndex(of: ",").map { String(content[content.index(after: $0)...].trimmingSpaces) } ?? ""
            } else if !content.isEmpty, !content.hasPrefix("#") {
                guard let known = duration else { throw PlaylistError(line: line, "a segment without EXTINF (RFC 8216 §4.3.2.1)") }
                segments.append(Segment(uri: String(content), duration: known, isDiscontinuity: discontinuity, map: nextMap, title: title))
                nextMap = nil
                duration = nil
                discontinuity = false
            } else if let value = try number("#EXT-X-VERSION:") {
                version = value
            } else if let value = try number("#EXT-X-TARGETDURATION:") {
                targetDurationSeconds = value
                hasTarget = true
            } else if let value = try number("#EXT-X-MEDIA-SEQUENCE:") {
                mediaSequenceNumber = value
            } else if let value = try number("#EXT-X-DISCONTINUITY-SEQUENCE:") {
                discontinuitySequence = value
            } else if content.hasPrefix("#EXT-X-PLAYLIST-TYPE:") {
                playlistType = PlaylistType(rawValue: String(content.dropFirst(21)))
            } else if content == "#EXT-X-INDEPENDENT-SEGMENTS" {
                isIndependent = true
            } else if content.hasPrefix("#EXT-X-START:") {
                let offset = AttributeList(parsing: content.dropFirst(13))["TIME-OFFSET"].flatMap { DecimalSeconds.time($0) }
                startsAtBeginning = offset == .zero
            } else if content.hasPrefix("#EXT-X-MAP:") {
                let uri = AttributeList(parsing: content.dropFirst(11))["URI"]
                if segments.isEmpty { map = uri } else { nextMap = uri }
            } else if content == "#EXT-X-DISCONTINUITY" {
                discontinuity = true
            } else if content == "#EXT-X-ENDLIST" {
                isEnded = true
            }
        }
        guard hasTarget else { throw PlaylistError(line: 1, "no EXT-X-TARGETDURATION (RFC 8216 §4.3.3.1)") }
    }
}

extension StringProtocol {
    /// Lines end with LF or CR LF (RFC 8216 §4.1) and with nothing else that Unicode calls a line end.
    var playlistLines: [Substring] {
        let text = Substring(self)
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }

    /// Without line ends and other control characters, each of which becomes a space, and without spaces around.
    var onOneLine: String {
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars { line.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(Substring(String(line)).trimmingSpaces)
    }
}

extension Substring {
    /// Without spaces and tabs around, and without a CR at the end.
    var trimmingSpaces: Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let head = utf8.drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) && $0 != 0x0D }) else { return Substring(head.prefix(0)) }
        return Substring(head[...last])
    }
}
