package import BitsAndTime
package import Libav

extension Producer {
    /// One stream's second rendition, as a dialogue boost is: its packets are placed for it anew.
    package struct DerivedRendition: Sendable {
        package let streamIndex: Int
        package let track: BridgedTrack
        package let translator: PacketTranslator

        package init(streamIndex: Int, track: BridgedTrack, translator: PacketTranslator) {
            self.streamIndex = streamIndex
            self.track = track
            self.translator = translator
        }
    }

    package struct Configuration: Sendable {
        package var renditions: [Rendition]
        package var translators: [Int: (id: RenditionID, translator: PacketTranslator)]
        package var videoStreamIndex: Int
        /// Where the picture's second layer is a stream of its own.
        package var enhancementLayer: EnhancementLayerJoin?
        package var videoTimeBase: TickBase
        /// `nil`: sequential.
        package var plan: SegmentPlan?
        /// What a sequential session lists.
        package var shape: SlidingWindow.Shape
        /// Tracks that are decoded and encoded, by stream.
        package var bridges: [Int: BridgedTrack] = [:]
        /// Renditions that are decoded and encoded from a stream that another one is made of already.
        package var derived: [DerivedRendition] = []
        /// Renditions that are not produced until a client asks for one of their segments: bridged ones that nobody may ever hear.
        package var onDemand: Set<RenditionID> = []
        /// Streams whose packets are handed on as they are read, and to whom: on the producer's thread, with what the source's clock is off by there.
        package var words: (streams: Set<Int>, take: @Sendable (Packet, MediaTime) -> Void)?
        /// How much later sound is presented, to begin with.
        package var audioDelay = AudioDelay.none
        /// The audio rendition whose fragments are written into the video's; `nil` where each is served by itself.
        package var joined: RenditionID?
        /// Time since any fixed moment, for what a sliding window deletes.
        package var clock: @Sendable () -> Duration = {
            let origin = ContinuousClock.now
            return { ContinuousClock.now - origin }
        }()

        package init(
            renditions: [Rendition], translators: [Int: (id: RenditionID, translator: PacketTranslator)], videoStreamIndex: Int,
            videoTimeBase: TickBase, plan: SegmentPlan?, shape: SlidingWindow.Shape = .event, joined: RenditionID? = nil
        ) {
            self.joined = joined
            self.shape = shape
            self.renditions = renditions
            self.translators = translators
            self.videoStreamIndex = videoStreamIndex
            self.videoTimeBase = videoTimeBase
            self.plan = plan
        }

        /// All that is decoded and encoded.
        package var bridged: [BridgedTrack] { bridges.values + derived.map(\.track) }

        /// What has playlists of its own.
        var served: [RenditionID] { renditions.map(\.id).filter { $0 != joined } }
    }
}
