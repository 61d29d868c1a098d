internal import Bitstreams

/// Presentation times for pictures whose container has none, out of their bitstream. Works on one segment, which opens on a picture that
/// resets the order, and so does not depend on where reading began.
enum PresentationOrder {
    /// The times of `samples`, in their order: the container's own, or, where it has only decode times, those times dealt out in the order
    /// the pictures are shown, the reordering depth later.
    static func times(of samples: [VideoSample]) -> [Int64] {
        let told = samples.map(\.pts)
        guard let source = samples.first?.orderSource, samples.allSatisfy({ $0.orderSource != nil }), var order = AVCPictureOrder(source.parameterSet) else {
            return told
        }
        var ranks: [(order: Int64, sample: Int)] = []
        for (index, sample) in samples.enumerated() {
            guard let bytes = FragmentContent(sample.payload).joined(), let place = bytes.withUnsafeBytes({ order.order(of: $0, framing: source.framing) }) else { return told }
            ranks.append((place, index))
        }
        ranks.sort { ($0.order, $0.sample) < ($1.order, $1.sample) }
        let slots = told.sorted()
        var times = told
        for (slot, rank) in zip(slots, ranks) { times[rank.sample] = slot &+ source.delay }
        return times
    }
}
