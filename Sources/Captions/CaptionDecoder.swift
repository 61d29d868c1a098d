package import BitsAndTime
internal import TimedText

/// Captions of a stream as cues, the same ones wherever in the stream decoding began.
///
/// **The rule.** The source's time is cut into epochs of ``epoch``, counted from its zero. The cues that begin within an epoch are those of a
/// receiver switched on ``memory`` before the epoch begins, and of no other: what was said longer ago is not known to it, in any run. A run
/// from the head does the same with several receivers at once, those of the next epochs getting ready. So a cue follows from the source
/// alone; and a run that begins in the middle (``init(joiningAt:isWide:)``) gives no cue it cannot be sure of: ``exactFrom`` is when its
/// first may begin. To get the cues that are shown at a time, read from ``firstRead(forCuesAt:)`` on.
///
/// What the rule costs: rows that were written more than 16 s before a cue begins are not shown in it, and a caption is lost whose mode or
/// window was sent more than 16 to 20 s before, and not again. Captions renew theirs with each text, since viewers switch channels.
///
/// A cue begins with the picture that shows it and ends with the one that changes or erases it. One that nothing has ended after 10 s
/// ends there, and is not shown again; one that stands when the stream ends does so with the stream, or, where the stream's end is not known
/// or not later, 3 s after its begin.
package struct CaptionDecoder: Sendable {
    package static let epoch = MediaTime(ticks: 4, timescale: 1)
    /// A whole number of epochs: 16 s, what receivers give a caption before they clear it by themselves (CTA-608-E Annex C.9).
    package static let memory = MediaTime(ticks: 16, timescale: 1)
    private static let epochsOfMemory: Int64 = memory.ticks / epoch.ticks
    /// How long a cue can be.
    package static let longestCue = CaptionSpan.longest

    /// Cues that begin before are not given; `nil`: decoding began at the head, and all are.
    package let exactFrom: MediaTime?
    /// Pairs with wrong parity, and damaged or missing DTVCC packets, of all that was decoded.
    package private(set) var damagedCount = 0
    private let isWide: Bool
    private let joinedAt: MediaTime?
    private var now: MediaTime?
    private var receivers: [(epoch: Int64, receiver: CaptionReceiver)] = []

    /// - Parameters:
    ///   - joiningAt: Where in the stream decoding begins: every picture shown from then on will be given. `nil`: nothing comes before the first.
    ///   - isWide: Whether the picture is wider than 4:3, on which CEA-708's grid of columns hangs.
    package init(joiningAt: MediaTime? = nil, isWide: Bool = true) {
        (joinedAt, self.isWide) = (joiningAt, isWide)
        exactFrom = joiningAt.map { Self.start(of: Self.firstEpoch(joining: $0)) }
    }

    /// From where to read so that every cue is exact that is shown at `time` or later, the one on the screen included: 26 to 30 s before.
    package static func firstRead(forCuesAt time: MediaTime) -> MediaTime { start(of: index(of: time - longestCue) - epochsOfMemory) }

    /// Takes the captions of the next picture in presentation order.
    ///
    /// - Returns: Cues that have got their ends, by their beginning.
    package mutating func decode(_ triplets: [CaptionTriplet], at time: MediaTime) -> [Caption] {
        var captions = advance(to: time)
        for triplet in triplets where triplet.isValid {
            let at = time + triplet.offset
            captions += advance(to: at)
            let damaged = receivers.last?.receiver.damagedCount
            for i in receivers.indices { captions += checked(receivers[i].epoch, receivers[i].receiver.take(triplet, at: at)) }
            // All of them see the same damage.
            if let damaged, let last = receivers.last { damagedCount += last.receiver.damagedCount - damaged }
        }
        return Self.sorted(captions)
    }

    /// Says that nothing comes before `time` any more: pictures without captions let time pass, too.
    package mutating func advance(to time: MediaTime) -> [Caption] {
        if let joinedAt, time < joinedAt { return [] }
        if let now, time <= now { return [] }
        now = time
        var captions: [Caption] = []
        for i in receivers.indices { captions += checked(receivers[i].epoch, receivers[i].receiver.advance(to: time)) }
        enter(Self.index(of: time))
        return Self.sorted(captions)
    }

    /// The end of the stream, or of what will be given. Begin anew afterwards.
    ///
    /// - Parameter time: Where it is, if known.
    package mutating func flush(at time: MediaTime?) -> [Caption] {
        var captions = time.map { advance(to: $0) } ?? []
        for i in receivers.indices { captions += checked(receivers[i].epoch, receivers[i].receiver.flush(at: time)) }
        receivers = []
        return Self.sorted(captions)
    }

    /// All cues that begin before this time have been given; `nil` before the first picture.
    package var completeBefore: MediaTime? {
        guard let now else { return nil }
        let open = receivers.flatMap { epoch, receiver in receiver.openSince.filter { Self.index(of: $0) == epoch } }
        return open.min().map { min($0, now) } ?? now
    }

    // MARK: Epochs

    /// Receivers of this epoch and of those that begin within a memory's length; of older ones those whose last cues have no end yet.
    private mutating func enter(_ current: Int64) {
        receivers.removeAll { epoch, receiver in epoch < current && receiver.openSince.allSatisfy { Self.index(of: $0) != epoch } }
        let first = joinedAt.map { Self.firstEpoch(joining: $0) } ?? .min
        for epoch in current...(current + Self.epochsOfMemory) where epoch >= first && !receivers.contains(where: { $0.epoch == epoch }) {
            // Had anything been said since it should have been switched on, it would be there already.
            receivers.append((epoch, CaptionReceiver(isWide: isWide, memory: Self.memory)))
        }
    }

    private func checked(_ epoch: Int64, _ captions: [Caption]) -> [Caption] { captions.filter { Self.index(of: $0.cue.start) == epoch } }

    /// Rounded down.
    private static func index(of time: MediaTime) -> Int64 {
        let (ticks, length) = (time.ticks, Int64(time.timescale) * epoch.ticks)
        return ticks >= 0 ? ticks / length : -((-(ticks + 1)) / length) - 1
    }

    private static func start(of index: Int64) -> MediaTime {
        let (ticks, isOver) = index.multipliedReportingOverflow(by: epoch.ticks)
        return MediaTime(ticks: isOver ? (index < 0 ? .min : .max) : ticks, timescale: 1)
    }

    /// The first epoch whose receiver has heard everything since it should have been switched on.
    private static func firstEpoch(joining time: MediaTime) -> Int64 {
        let index = index(of: time)
        return (start(of: index) == time ? index : index + 1) + epochsOfMemory
    }

    private static func sorted(_ captions: [Caption]) -> [Caption] {
        guard captions.count > 1 else { return captions }
        return captions.enumerated().sorted { a, b in
            let (left, right) = (a.element, b.element)
            if left.cue.start != right.cue.start { return left.cue.start < right.cue.start }
            return left.channel == right.channel ? a.offset < b.offset : left.channel < right.channel
        }.map(\.element)
    }
}
