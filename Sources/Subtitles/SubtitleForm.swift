package import Libav

/// What the packets of a subtitle stream hold, and with it who reads them.
package enum SubtitleForm: Sendable, Hashable {
    /// Words: what ``TextCue``s are made of.
    case words
    /// Pages of characters that stand until the next one (ETSI EN 300 706).
    case teletext
    /// Pictures of words.
    case pictures
    /// Line 21 byte pairs in a track of their own (CTA-608).
    case captions

    /// - Returns: `nil` for a codec that is none of these, or of which nothing is known.
    package init?(_ codec: CodecID) {
        switch codec {
        case .subrip, .ass, .webvtt, .movText, .ttml, .text, .microdvd, .sami: self = .words
        case .other(let name) where Self.textNames.contains(name): self = .words
        case .teletext: self = .teletext
        case .pgs, .dvbSubtitle, .dvdSubtitle, .xsub: self = .pictures
        case .eia608: self = .captions
        default: return nil
        }
    }

    /// Also by what the container calls it, where libavformat knows no codec: older ones take the text tracks of MP4 for data.
    package init?(_ stream: StreamInfo) { self.init(Self.codec(of: stream)) }

    /// The stream's codec, or the one its sample entry names (ISO/IEC 14496-30).
    package static func codec(of stream: StreamInfo) -> CodecID {
        guard stream.kind == .data || stream.codec == .unknown else { return stream.codec }
        switch stream.codecTag {
        case 0x7070_7473: return .ttml  // stpp
        case 0x7474_7677: return .webvtt  // wvtt
        default: return stream.codec
        }
    }

    /// libavcodec's names of text formats that have no case of their own.
    private static let textNames: Set<String> = ["jacosub", "mpl2", "pjs", "realtext", "stl", "subviewer", "subviewer1", "vplayer"]
}
