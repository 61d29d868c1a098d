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

    /// Is handed the packets of some streams as they are read, on the producer's thread.
    package struct PacketTap: Sendable {
        package let streams: Set<Int>
        /// With what the source's clock is off by at this place.
        package let take: @Sendable (Packet, MediaTime) -> Void
        /// The source has been read to its end.
        package let finish: @Sendable (MediaTime) -> Void

        package init(streams: Set<Int>, take: @escaping @Sendable (Packet, MediaTime) -> Void, finish: @escaping @Sendable (MediaTime) -> Void) {
            self.streams = streams
            self.take = take
            self.finish = finish
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
        /// Who is handed packets as they are read.
        package var words: PacketTap?
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
