internal import Bitstreams

/// Presentation times for pictures whose container has none, out of their bitstream. Works on one segment, which opens on a picture that
/// resets the order, and so does not depend on where reading began.
enum PresentationOrder {
    /// The times of `samples`, in their order: the container's own, or, where it has only decode times, those times dealt out in the order
    /// the pictures are shown, the reordering depth later.
    static func times(of samples: [VideoSample]) -> [Int64] {
        if samples.contains(where: \.isHidden) { return HiddenPictures.times(of: samples) }
        let told = samples.map(\.pts)
        guard let source = samples.first?.orderSource, samples.allSatisfy({ $0.orderSource != nil }) else { return told }
        var order = source.reader
        var ranks: [(order: Int64, sample: Int)] = []
        for (index, sample) in samples.enumerated() {
            let place = FragmentContent(sample.payload).joined().flatMap { bytes in bytes.withUnsafeBytes { order.order(of: $0, framing: source.framing) } }
            // What holds no slice that can be read (an end of sequence by itself, damage) goes with the picture before it.
            ranks.append((place ?? ranks.last?.order ?? .min, index))
        }
        ranks.sort { ($0.order, $0.sample) < ($1.order, $1.sample) }
        let slots = told.sorted()
        var times = told
        for (slot, rank) in zip(slots, ranks) { times[rank.sample] = slot &+ source.delay }
        return times
    }
}
