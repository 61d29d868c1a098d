internal import Libav

/// Whether a track that is declared interlaced is: a field order says how pictures are carried, not that any is interlaced.
enum InterlaceCheck {
    /// Frames enough to believe that none is.
    static let frames = 12

    /// Decodes packets already read. `true` at the first interlaced frame, `false` after enough progressive ones, `nil` when too few decoded.
    static func run(demuxer: Demuxer, stream: StreamInfo, packets: [Packet]) -> Bool? {
        do throws(LibavError) {
            let decoder = try Decoder(demuxer: demuxer, streamIndex: stream.index)
            var seen = 0
            for packet in packets.map(Optional.some) + [nil] {
                try decoder.send(packet)
                while let frame = try decoder.receive() {
                    if frame.isInterlaced { return true }
                    seen += 1
                }
            }
            return seen >= frames ? false : nil
        } catch {
            return nil
        }
    }
}
