/// Watches a stream's access units for parameter sets other than those of the record it is served under.
///
/// What counts is the set a random-access picture leads to: repeated sets, and announcements no picture follows up, change nothing.
package struct ParameterSetWatch: Sendable {
    package enum Change: Sendable, Equatable {
        case none
        /// The record's sets are no longer all in force, but a decoder built from them decodes on.
        case inBand
        /// A decoder has to be built anew, and an init segment written, from ``ParameterSetWatch/sets``.
        case decoder(from: DecoderSignature, to: DecoderSignature)
    }

    /// Those in force: the record's, and what the stream put in their place.
    private(set) package var sets: ParameterSets
    private var served: DecoderSignature?
    private var hasNews = false

    package init(record sets: ParameterSets) { self.sets = sets }

    /// - Parameter accessUnit: The next in decode order.
    /// - Returns: What changed at this picture, against the one before: a change is told once.
    package mutating func look(at accessUnit: UnsafeRawBufferPointer, framing: NALUnitFraming) -> Change {
        // Until the first picture has been looked at, the record stands for it: it may be wrong from the start.
        if served == nil { served = sets.signature(ofPictureIn: accessUnit, framing: framing) }
        if sets.insert(from: accessUnit, framing: framing) { hasNews = true }
        guard hasNews else { return .none }
        switch RandomAccess.classify(sample: accessUnit, codec: sets.codec, framing: framing) {
        case .idr, .craOrBLA: break
        default: return .none
        }
        hasNews = false
        guard let active = sets.signature(ofPictureIn: accessUnit, framing: framing) else { return .none }
        guard let before = served, before != active else {
            served = active
            return .inBand
        }
        served = active
        return .decoder(from: before, to: active)
    }
}
