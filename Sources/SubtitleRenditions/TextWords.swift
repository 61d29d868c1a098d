package import BitsAndTime
package import Libav
package import Subtitles
internal import TimedText

/// The cues of a stream of text.
package final class TextWords: PacketCues {
    private let decoder: TextTrackDecoder

    package init(_ decoder: TextTrackDecoder) { self.decoder = decoder }

    package func begin(isAtHead: Bool) { decoder.flush() }

    package func take(_ packet: Packet, nearby: MediaTime?) -> [PacketCue] { decoder.decode(packet, nearby: nearby).map { PacketCue($0.cue) } }

    package func finish() -> [PacketCue] { decoder.finish().map { PacketCue($0.cue) } }

    /// Text says itself how long it is shown; pages of teletext do not, but say it again every few seconds.
    package var openSince: MediaTime? { nil }
}
