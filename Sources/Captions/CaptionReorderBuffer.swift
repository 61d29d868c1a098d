package import BitsAndTime

/// Puts the captions of pictures, which come in the order of decoding, into the order of presentation.
///
/// A picture is given out once no later one can be shown before it: none is shown before it is decoded, so all that are shown at or before
/// the newest decode time are safe. Streams whose composition offsets are signed are shown up to ``lead`` before their decode times; how
/// far is learned from the pictures, or said at the start.
package struct CaptionReorderBuffer: Sendable {
    package struct Picture: Sendable, Hashable {
        package let presentationTime: MediaTime
        package let triplets: [CaptionTriplet]
    }

    /// Pictures held at most. No codec reorders over a thirtieth of it.
    package static let capacity = 512
    /// Held where decode times are missing: the deepest decoded picture buffer there is (H.264 §A.3.1), in fields.
    private static let depthWithoutDecodeTimes = 32

    /// By how much pictures are shown before their decode times at most.
    package private(set) var lead: MediaTime
    /// Pictures that came after one that is shown later had been given out.
    package private(set) var lateCount = 0
    private var held: [Picture] = []
    private var lastGiven: MediaTime?

    package init(lead: MediaTime = .zero) { self.lead = lead }

    /// Takes a picture, in decode order, and gives those that are due.
    ///
    /// - Parameter decodeTime: `nil` where it is not known; then pictures wait for as many as any codec reorders.
    package mutating func take(presentationTime: MediaTime, decodeTime: MediaTime?, triplets: [CaptionTriplet]) -> [Picture] {
        if let lastGiven, presentationTime < lastGiven { lateCount += 1 }
        // Behind those of its own time: two fields keep their order.
        let at = held.firstIndex { $0.presentationTime > presentationTime } ?? held.endIndex
        held.insert(Picture(presentationTime: presentationTime, triplets: triplets), at: at)
        guard let decodeTime else { return give(held.count - Self.depthWithoutDecodeTimes) }
        let ahead = decodeTime - presentationTime
        if ahead > lead { lead = ahead }
        let watermark = decodeTime - lead
        let safe = held.firstIndex { $0.presentationTime > watermark } ?? held.endIndex
        return give(max(safe, held.count - Self.capacity))
    }

    /// All that is held: at the end of a stream, and before another place is read.
    package mutating func flush() -> [Picture] { give(held.count) }

    private mutating func give(_ count: Int) -> [Picture] {
        guard count > 0 else { return [] }
        let given = Array(held.prefix(count))
        held.removeFirst(count)
        lastGiven = given.last?.presentationTime ?? lastGiven
        return given
    }
}
