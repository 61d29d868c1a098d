/// What a target takes of what a bridge here can make, the best first: all that its capabilities say to the bridge.
package struct BridgeLadder: Sendable, Hashable {
    /// One codec, and how much of it the target takes.
    package struct Rung: Sendable, Hashable {
        package var codec: TrackCodec
        package var maximumChannels: Int
        /// Hz.
        package var maximumSampleRate: Int
        /// Where the codec is lossless.
        package var maximumBitDepth: Int

        package init(_ codec: TrackCodec, maximumChannels: Int = 8, maximumSampleRate: Int = .max, maximumBitDepth: Int = .max) {
            self.codec = codec
            self.maximumChannels = maximumChannels
            self.maximumSampleRate = maximumSampleRate
            self.maximumBitDepth = maximumBitDepth
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
}
