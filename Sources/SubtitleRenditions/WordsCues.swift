package import BitsAndTime
package import Libav
package import Remux
internal import TimedText
package final class TextWords: PacketCues {
    private let decoder: SubtitleDecoder
    private let base: TickBase
    package init(_ decoder: SubtitleDecoder, base: TickBase) { self.decoder = decoder; self.base = base }
    package func begin(isAtHead: Bool) { decoder.flush() }
    package func finish() -> [PacketCue] { [] }
    package var openSince: MediaTime? { nil }
    package func take(_ packet: Packet) -> [PacketCue] {
        guard let time = packet.pts, let decoded = try? decoder.decode(packet) else { return [] }
        let start = base.time(time)
        let end = packet.durationTicks > 0 ? base.time(time + packet.durationTicks) : start + MediaTime(ticks: 3, timescale: 1)
        return decoded.rectangles.compactMap {
            guard case .event(let e) = $0 else { return nil }
            let parts = e.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            return PacketCue(TextCue(start: start, end: end, text: StyledText(String(parts.last ?? ""))))
        }
    }
}
