package import Libav

/// Sound that libavformat's probing did not wait for: a transport stream lists its tracks, and their packets say the rest when they come.
package enum LateSound {
    /// Packets that are decoded at most: the first may be a piece of a frame.
    private static let packets = 8

    /// The stream with the rate and channels that its first packets decode to, where nothing is known of them.
    package static func completed(_ stream: StreamInfo, head: [Packet], demuxer: Demuxer) -> StreamInfo {
        guard stream.kind == .audio, stream.sampleRate <= 0 || stream.channels <= 0, !head.isEmpty else { return stream }
        var found = stream
        do throws(LibavError) {
            let decoder = try Decoder(demuxer: demuxer, streamIndex: stream.index)
            for packet in head.prefix(packets) {
                do throws(LibavError) { try decoder.send(packet) } catch { continue }
                guard let frame = try decoder.receive(), frame.sampleRate > 0, frame.channels > 0 else { continue }
                (found.sampleRate, found.channels) = (Int32(clamping: frame.sampleRate), frame.channels)
                found.channelLayout = frame.audioFormat?.layout.description ?? found.channelLayout
                break
            }
        } catch {
            // What nothing decodes stays unknown, and is refused by that.
        }
        return found
    }
}
