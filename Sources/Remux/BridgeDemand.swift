/// Which of the bridged tracks are heard, and so produced. Pure: demands in, who rests out.
///
/// A bridged track costs a decoder and an encoder as long as it is produced. One that is not the default begins to rest and is woken by the first
/// demand for one of its segments; one whose listener has gone over to another track rests again.
struct BridgeDemand: Sendable, Equatable {
    /// Segments that another track is asked for away from the last one asked of this: the listener has changed over. Players fetch a few
    /// segments of both around the change.
    static let patience = 3
    /// The same for a track that nobody ever asked for: a player that starts with another one never will.
    static let unheardPatience = 0

    private let bridged: Set<RenditionID>
    private(set) var resting: Set<RenditionID>
    /// The segment last asked for of each.
    private var heard: [RenditionID: Int] = [:]

    /// - Parameter onDemand: Those that nobody hears from the start.
    init(bridged: [RenditionID], onDemand: Set<RenditionID>) {
        self.bridged = Set(bridged)
        resting = onDemand.intersection(bridged)
    }

    /// A client asks for a segment.
    ///
    /// - Parameter awaited: Renditions of which a segment is waited for: none of them rests.
    /// - Returns: Renditions that rest from now on.
    mutating func demand(_ rendition: RenditionID, index: Int, awaited: Set<RenditionID> = []) -> Set<RenditionID> {
        guard case .audio = rendition, !bridged.isEmpty else { return [] }
        heard[rendition] = index
        resting.remove(rendition)
        let left = bridged.filter { other in
            guard other != rendition, !resting.contains(other), !awaited.contains(other) else { return false }
            return abs(index - heard[other, default: 0]) > (heard[other] == nil ? Self.unheardPatience : Self.patience)
        }
        resting.formUnion(left)
        return left
    }
}
