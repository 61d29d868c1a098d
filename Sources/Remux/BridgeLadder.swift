/// What a target takes of what a bridge here can make, the best first: all that its capabilities say to the bridge.
package struct BridgeLadder: Sendable, Hashable {
    /// One codec, and how many channels of it the target takes.
    package struct Rung: Sendable, Hashable {
        package var codec: TrackCodec
        package var maximumChannels: Int

        package init(_ codec: TrackCodec, maximumChannels: Int = 8) {
            self.codec = codec
            self.maximumChannels = maximumChannels
        }
    }

    /// For sound of up to two channels.
    package var stereo: [Rung]
    /// For sound of more.
    package var surround: [Rung]

    package init(stereo: [Rung], surround: [Rung]) {
        self.stereo = stereo
        self.surround = surround
    }

    package var isEmpty: Bool { stereo.isEmpty && surround.isEmpty }

    /// The first rung for so many channels whose encoder there is.
    package func rung(channels: Int, has: (TrackCodec) -> Bool) -> Rung? {
        (channels > 2 ? surround : stereo).first { has($0.codec) }
    }

    /// What any receiver takes: E-AC-3 above two channels, and FLAC, which loses nothing, up to two. Without an E-AC-3 encoder the surround is
    /// kept in FLAC, not given up.
    package static let compatible = BridgeLadder(stereo: [Rung(.flac), Rung(.eac3)], surround: [Rung(.eac3), Rung(.flac)])
    /// FLAC up to 7.1, for who takes as many channels of PCM.
    package static let lossless = BridgeLadder(stereo: [Rung(.flac), Rung(.eac3)], surround: [Rung(.flac), Rung(.eac3)])
}
