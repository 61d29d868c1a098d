package import BitsAndTime
package import Libav
package import Remux
package import Subtitles
internal import TimedText

/// Pictures of words, read into cues. A picture takes tens to hundreds of milliseconds, on the thread of the queue; this one waits.
package final class PictureWords: PacketCues {
    /// How long the pictures of one set may take before they are passed over.
    private static let patience = Duration.seconds(30)

    private let decoder: PictureTrackDecoder
    private let queue: RecognitionQueue
    private let language: String?
    private let base: TickBase
    private let video: VideoFrame?

    /// - Parameters:
    ///   - language: As the track has it.
    ///   - video: The film's picture, for where on it words stand.
    package init(_ decoder: PictureTrackDecoder, queue: RecognitionQueue, language: String?, base: TickBase, video: VideoFrame?) {
        self.decoder = decoder
        self.queue = queue
        self.language = language
        self.base = base
        self.video = video
    }

    /// What was open then ends nobody knows where: it is not taken for a cue.
    package func begin(isAtHead: Bool) { _ = decoder.interrupt(atHead: isAtHead) }

    package func take(_ packet: Packet, nearby: MediaTime?) -> [PacketCue] { words(decoder.decode(packet, presentation: packet.pts.map(base.time))) }

    package func finish() -> [PacketCue] { words(decoder.finish()) }

    package var openSince: MediaTime? { decoder.openStart }

    private func words(_ pictures: [PictureCue]) -> [PacketCue] {
        let certain = pictures.filter(\.isStartCertain)
        guard !certain.isEmpty else { return [] }
        return (PictureReading(certain, queue: queue, language: language, video: video).wait(atMost: Self.patience) ?? []).map { PacketCue($0) }
    }
}
