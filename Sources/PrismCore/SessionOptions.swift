extension PrismCoreSession {
    /// Everything a session is built with besides its source.
    public struct Options: Sendable, Equatable {
        /// Bytes of finished fragments to keep. The budget bounds memory and disk, not seekability: a planned session produces again what it dropped.
        public var segmentCacheBytes: Int
        /// The audio track to start with, as any ISO 639 code or RFC 5646 tag; `nil` or no match: the source's own default.
        public var preferredAudioLanguage: String?
        /// What the player decodes; decides between the engines.
        public var availability: DecoderAvailability
        /// Port of the loopback server; 0 lets the system choose.
        public var port: UInt16
        /// What the playlists of a session without a plan do with what was played; decides nothing about a planned one.
        public var sequentialPlaylist: SequentialPlaylist

        public init(
            segmentCacheBytes: Int = 1 << 30, preferredAudioLanguage: String? = nil, availability: DecoderAvailability = .current, port: UInt16 = 0,
            sequentialPlaylist: SequentialPlaylist = .event
        ) {
            self.sequentialPlaylist = sequentialPlaylist
            self.segmentCacheBytes = segmentCacheBytes
            self.preferredAudioLanguage = preferredAudioLanguage
            self.availability = availability
            self.port = port
        }
    }
}
