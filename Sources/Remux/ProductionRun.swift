internal import BitsAndTime
internal import Libav

/// Production from one anchor on: where it began, and the parts that packets go through from there.
struct ProductionRun {
    var assembler: SegmentAssembler
    let anchor: Int
    /// How far before the anchor reading began: an index into the producer's margins.
    let level: Int
    /// Renditions whose first packet has not been seen yet.
    var unproven: Set<RenditionID>
    /// Streams entered by place and not seen since: the first packet of one may be a piece of a frame, or have no time of its own.
    var unentered: Set<Int> = []
    /// Where in the source those began whose first packet was such a piece.
    var pieces: [Int: Int64] = [:]
    var layers: EnhancementLayerJoin?
    /// Where one audio track goes into the video's segments.
    var joiner: FragmentJoiner?
    /// The bridged tracks that are produced, by stream.
    var bridges: [Int: AudioBridge] = [:]
    /// The derived renditions that are produced.
    var derived: [Derived] = []

    struct Derived {
        let streamIndex: Int
        let bridge: AudioBridge
        var translator: PacketTranslator
    }

    var allBridges: [AudioBridge] { bridges.values + derived.map(\.bridge) }

    /// The picture has come to `time`: tracks that have been silent for long get their silence.
    mutating func advance(to time: MediaTime) -> [MediaFragment] {
        var fragments: [MediaFragment] = []
        for bridge in allBridges {
            for frame in bridge.advance(to: time, window: SegmentAssembler.interleaveWindow) { fragments += assembler.append(frame, to: bridge.track.rendition) }
        }
        return fragments
    }

    mutating func finish() -> [MediaFragment] {
        var fragments: [MediaFragment] = []
        for bridge in allBridges {
            for frame in bridge.finish() { fragments += assembler.append(frame, to: bridge.track.rendition) }
        }
        return fragments + assembler.finish()
    }

    /// Stops the bridges that nobody hears any more.
    mutating func rest(_ resting: Set<RenditionID>) {
        for (stream, bridge) in bridges where resting.contains(bridge.track.rendition) {
            bridges[stream] = nil
            unproven.remove(bridge.track.rendition)
            assembler.remove(bridge.track.rendition)
        }
        for bridge in derived.map(\.bridge) where resting.contains(bridge.track.rendition) {
            derived.removeAll { $0.bridge === bridge }
            unproven.remove(bridge.track.rendition)
            assembler.remove(bridge.track.rendition)
        }
    }

    /// What a packet brings the renditions derived from its stream.
    mutating func derive(from packet: Packet) -> [MediaFragment] {
        var fragments: [MediaFragment] = []
        for at in derived.indices where derived[at].streamIndex == packet.streamIndex {
            guard case .audio(let frame)? = derived[at].translator.sample(from: packet) else { continue }
            let bridge = derived[at].bridge
            for frame in bridge.append(packet, at: frame.position, duration: frame.sampleCount) { fragments += assembler.append(frame, to: bridge.track.rendition) }
        }
        return fragments
    }

    mutating func joined(_ fragments: [MediaFragment], isAtEnd: Bool = false) -> [MediaFragment] {
        (isAtEnd ? joiner?.finish(fragments) : joiner?.join(fragments)) ?? fragments
    }
}
