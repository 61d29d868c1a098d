public import LoopbackHTTP

extension PrismCoreSession {
    /// Everything a session is built with besides its source.
    public struct Options: Sendable, Equatable {
        /// Bytes of finished fragments to keep. The budget bounds memory and disk, not seekability: a planned session produces again what it dropped.
        public var segmentCacheBytes: Int
        /// Languages of the audio track to start with, the most wanted first: any ISO 639 code, RFC 5646 tags, English names. The first that a
        /// track is in decides. None, or none that is there: the source's own default.
        public var preferredAudioLanguages: [String]
        /// The first of ``preferredAudioLanguages``; setting it makes it the only one.
        public var preferredAudioLanguage: String? {
            get { preferredAudioLanguages.first }
            set { preferredAudioLanguages = newValue.map { [$0] } ?? [] }
        }
        /// Languages of the subtitles to show from the start, the most wanted first, written as audio's are. None, or none that is there: off.
        public var preferredSubtitleLanguages: [String]
        /// The first of ``preferredSubtitleLanguages``; setting it makes it the only one.
        public var preferredSubtitleLanguage: String? {
            get { preferredSubtitleLanguages.first }
            set { preferredSubtitleLanguages = newValue.map { [$0] } ?? [] }
        }
        /// Files of words beside the film, offered behind its own.
        public var externalSubtitles: [ExternalSubtitle]
        /// The page of teletext that is read, 100 to 899; `nil`: the one that is flagged as subtitles. Some broadcasters flag none.
        public var teletextPage: Int?
        /// Leaves the captions in the picture to the player, and says which there are, instead of offering them as renditions of text.
        public var inBandClosedCaptions: Bool
        /// How many cues are kept for a handler that is set late; see ``PrismCoreSession/setTimedTextCueHandler(_:)``.
        public var subtitleCueHistory: SubtitleCueHistory {
            didSet { subtitleCueHistory = subtitleCueHistory.clamped }
        }
        /// Seconds by which words are shown later than the source has them, −10 to 10; see ``PrismCoreSession/setSubtitleDelaySeconds(_:)``.
        public var subtitleDelaySeconds: Double
        /// What the player decodes beyond the sure things; decides between the engines. Without meaning where ``capabilities`` are given.
        public var availability: DecoderAvailability
        /// What the player takes, where that is known; `nil`: what Apple's players do, with the decoders of ``availability``.
        public var capabilities: PlayerCapabilities?
        /// Port of the session's server; 0 lets the system choose.
        public var port: UInt16
        /// What the playlists of a session without a plan do with what was played; decides nothing about a planned one.
        public var sequentialPlaylist: SequentialPlaylist
        /// Plays without a plan even where there could be one: after ``PrismCoreError/parameterSetsChanged``.
        public var playsSequentially: Bool
        /// Who can reach the session's server: this machine, unless the film has to go to a device that fetches it over the local network.
        public var reachability: LoopbackHTTPServer.Reachability
        /// Name or IPv4 address of the interface to serve the local network on; `nil` lets the engine choose one. Without meaning on the loopback.
        public var networkInterface: String?
        /// What the display can show that the film ends up on; decides which playlist may be served.
        public var display: DisplayCapabilities
        /// What to do with Dolby Vision.
        public var dolbyVisionHandling: DolbyVisionHandling
        /// On a display without Dolby Vision, has the player apply a profile 8.1 film's metadata to the picture by serving it as profile 5 is.
        /// Experimental: it is not what the profile means, and a decoder that takes its word for the base layer's colours shows green and violet.
        public var forceDolbyVisionOnNonDVDisplay: Bool
        /// One media playlist, with the picture and one audio track in the same segments, whatever the display.
        public var forceMuxedShape: Bool
        /// A multivariant playlist without SUPPLEMENTAL-CODECS: see ``PrismCoreSession/makeReducedMasterFallbackSession()``.
        public var reducesMaster: Bool
        /// What tracks that cannot be copied are encoded to.
        public var audioBridgeMode: AudioBridgeMode
        /// Renditions to offer beside the track the session starts with, in which all but dialogue is lowered; none of them costs anything until
        /// it is asked for.
        public var dialogueBoost: [DialogueBoost]
        /// What is done to the sound of every track.
        public var audioShaping: AudioShaping
        /// Seconds by which sound is presented later than its source has it, −2 to 2; see ``PrismCoreSession/setAudioDelaySeconds(_:)``.
        public var audioDelaySeconds: Double

        public init(
            segmentCacheBytes: Int = 1 << 30, preferredAudioLanguage: String? = nil, availability: DecoderAvailability = .current, port: UInt16 = 0,
            sequentialPlaylist: SequentialPlaylist = .event, reachability: LoopbackHTTPServer.Reachability = .loopbackOnly,
            networkInterface: String? = nil, display: DisplayCapabilities = .platformDefault, dolbyVisionHandling: DolbyVisionHandling = .automatic,
            forceDolbyVisionOnNonDVDisplay: Bool = false, forceMuxedShape: Bool = false, reducesMaster: Bool = false, playsSequentially: Bool = false,
            audioBridgeMode: AudioBridgeMode = .surroundCompat, preferredAudioLanguages: [String] = [], capabilities: PlayerCapabilities? = nil,
            dialogueBoost: [DialogueBoost] = [], audioShaping: AudioShaping = .none, audioDelaySeconds: Double = 0,
            preferredSubtitleLanguage: String? = nil, preferredSubtitleLanguages: [String] = [], subtitleCueHistory: SubtitleCueHistory = .complete,
            subtitleDelaySeconds: Double = 0, externalSubtitles: [ExternalSubtitle] = [], inBandClosedCaptions: Bool = false, teletextPage: Int? = nil
        ) {
            self.teletextPage = teletextPage.flatMap { (100...899).contains($0) ? $0 : nil }
            self.inBandClosedCaptions = inBandClosedCaptions
            self.externalSubtitles = externalSubtitles
            self.preferredSubtitleLanguages = (preferredSubtitleLanguage.map { [$0] } ?? []) + preferredSubtitleLanguages
            self.subtitleCueHistory = subtitleCueHistory.clamped
            self.subtitleDelaySeconds = subtitleDelaySeconds
            self.audioDelaySeconds = audioDelaySeconds
            self.dialogueBoost = dialogueBoost
            self.audioShaping = audioShaping
            self.playsSequentially = playsSequentially
            self.audioBridgeMode = audioBridgeMode
            self.capabilities = capabilities
            self.display = display
            self.dolbyVisionHandling = dolbyVisionHandling
            self.forceDolbyVisionOnNonDVDisplay = forceDolbyVisionOnNonDVDisplay
            self.forceMuxedShape = forceMuxedShape
            self.reducesMaster = reducesMaster
            self.sequentialPlaylist = sequentialPlaylist
            self.segmentCacheBytes = segmentCacheBytes
            self.preferredAudioLanguages = (preferredAudioLanguage.map { [$0] } ?? []) + preferredAudioLanguages
            self.availability = availability
            self.port = port
            self.reachability = reachability
            self.networkInterface = networkInterface
        }
    }
}

extension PrismCoreSession.Options {
    /// What the player takes, whether told or not.
    var player: PlayerCapabilities { capabilities ?? .apple(availability) }
}
