/// Where somebody is who listens in on a rendition: goes from segment to segment as they come, and along when the viewer moves. Pure.
package struct ListeningPlace: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        /// This segment is next.
        ///
        /// `isJump`: it does not follow the last one.
        case take(Int, isJump: Bool)
        case wait
        /// The film's last segment was taken.
        case ended
    }

    /// What production has of the rendition.
    package struct Production: Sendable {
        /// Where the viewer is.
        package var playhead: Int
        /// Segments produced in the current run; `nil` while the rendition rests.
        package var produced: Range<Int>?
        /// Segments of the film, where it is planned.
        package var count: Int?
        /// Whether nothing more will be produced from here on.
        package var isAtEnd: Bool

        package init(playhead: Int, produced: Range<Int>?, count: Int?, isAtEnd: Bool) {
            self.playhead = playhead
            self.produced = produced
            self.count = count
            self.isAtEnd = isAtEnd
        }
    }

    /// Segments that the viewer may be asked for out of order, or stay behind, without having moved: players fetch picture and sound by turns.
    static let patience = 3

    /// The segment to take next; `nil`: wherever the viewer is.
    private(set) var next: Int?
    private var furthest: Int?
    private var hasJumped = false

    package init(next: Int? = nil) { self.next = next }

    /// - Parameter nextResident: The first segment at or behind a place that is here.
    package mutating func step(_ production: Production, nextResident: (Int) -> Int?) -> Step {
        let playhead = production.playhead
        if let furthest, playhead + Self.patience < furthest {
            jump(to: playhead)
            self.furthest = playhead
        }
        furthest = max(furthest ?? playhead, playhead)
        var place = next ?? playhead
        if let count = production.count, place >= count { return .ended }
        var here = nextResident(place)
        if here != place, playhead > place + Self.patience {
            jump(to: playhead)
            place = playhead
            here = nextResident(place)
        }
        if here != place, let produced = production.produced, produced.contains(place) {
            // It was here and had to make room, or has nothing of this rendition.
            let other = min(here ?? produced.upperBound, produced.upperBound)
            jump(to: other)
            place = other
        }
        guard here == place else {
            if production.isAtEnd, production.count == nil, place >= production.produced?.upperBound ?? 0 { return .ended }
            return .wait
        }
        next = place + 1
        defer { hasJumped = false }
        return .take(place, isJump: hasJumped)
    }

    private mutating func jump(to place: Int) {
        guard next != nil, next != place else { return }
        next = place
        hasJumped = true
    }
}
