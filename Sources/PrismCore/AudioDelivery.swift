/// How a film's sound reaches the player, over all of its tracks; ``PrismCoreSession/audioTrackDeliveries`` tells of each.
public enum AudioDelivery: String, Sendable, Equatable, Codable {
    /// Not known before the source was described.
    case undetermined
    case noAudioInSource
    /// Every track that is served is copied bit for bit.
    case streamCopy
    /// Every track that is served is decoded and encoded.
    case bridged
    /// Some are copied and some bridged.
    case mixed
    /// There are tracks, and none can be served: nothing here decodes them, or no bridge could be built. The film plays without sound.
    case droppedNoPipeline

    init(_ deliveries: [AudioTrackDelivery]) {
        var (copied, bridged) = (false, false)
        for delivery in deliveries {
            switch delivery.route {
            case .copied: copied = true
            case .bridged: bridged = true
            case .leftOut: break
            }
        }
        switch (copied, bridged) {
        case (true, true): self = .mixed
        case (true, false): self = .streamCopy
        case (false, true): self = .bridged
        case (false, false): self = deliveries.isEmpty ? .noAudioInSource : .droppedNoPipeline
        }
    }
}
