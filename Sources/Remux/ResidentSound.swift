internal import BitsAndTime
internal import Libav

/// Sound out of the segments that are in the store, for an interval of the source: asks for nothing and changes nothing.
package struct ResidentSound: Sendable {
    package enum Failure: Error, Sendable, Equatable {
        case undecodable(String)
        case cancelled
    }

    /// A fragment larger than this is not read for a few seconds of sound.
    package static let fragmentLimit = 64 << 20

    let store: SegmentStore
    /// Whose fragments hold the sound, and where in them it is.
    package let rendition: RenditionID
    let streamIndex: Int
    let initialization: [UInt8]
    /// The film, where it is planned.
    let bounds: (start: MediaTime, end: MediaTime, last: Int)?

    /// - Parameters:
    ///   - id: The audio rendition.
    ///   - served: As it is served: by itself, or joined with the picture.
    package init(store: SegmentStore, of id: RenditionID, joinedWith picture: Rendition?, served: Rendition, plan: SegmentPlan?) {
        self.store = store
        rendition = picture == nil ? id : .video
        streamIndex = picture == nil ? 0 : 1
        initialization = (picture ?? served).initialization
        bounds = plan.flatMap { plan in plan.segments.isEmpty ? nil : (plan.start, plan.end, plan.segments.count - 1) }
    }

    package func makeDecoder() -> SegmentAudioDecoder { SegmentAudioDecoder(initialization: initialization, streamIndex: streamIndex) }

    /// Mono samples at 48 kHz from `start` on; `nil` where some of the interval is not here. Where the track itself has nothing is silence.
    ///
    /// - Parameters:
    ///   - start: In samples at 48 kHz, from the source's zero.
    package func samples(from start: Int64, count: Int, isCancelled: () -> Bool) throws(Failure) -> [Float]? {
        let rate = SegmentAudioDecoder.sampleRate
        let (from, to) = (MediaTime(ticks: start, timescale: rate), MediaTime(ticks: start + Int64(count), timescale: rate))
        let residents = store.residents(of: rendition)
        guard let chosen = Self.choose(residents, from: from, to: to, bounds: bounds) else { return nil }
        var samples = [Float](repeating: 0, count: count)
        func put(_ stretches: [SegmentAudioDecoder.Stretch]) {
            for stretch in stretches {
                let first = max(stretch.position, start), end = min(stretch.end, start + Int64(count))
                guard first < end else { continue }
                samples.replaceSubrange(
                    Int(first - start)..<Int(end - start), with: stretch.samples[Int(first - stretch.position)..<Int(end - stretch.position)])
            }
        }
        let decoder = makeDecoder()
        for resident in chosen {
            guard resident.content.byteCount <= Self.fragmentLimit, let bytes = resident.content.joined() else { return nil }
            do throws(LibavError) { put(try decoder.decode(bytes, isCancelled: isCancelled)) } catch { throw .undecodable("\(error)") }
            if isCancelled() { throw .cancelled }
        }
        do throws(LibavError) { put(try decoder.finish()) } catch { throw .undecodable("\(error)") }
        return samples
    }

    /// What a decoder that begins cold gives of this is not to be trusted: MP3's reservoir reaches furthest.
    private static let warmUp = MediaTime(ticks: 300, timescale: 1000)

    /// The fragments of an interval, all of them, with the one before where it is here: a decoder needs what came before.
    static func choose(
        _ residents: [SegmentStore.Resident], from: MediaTime, to: MediaTime, bounds: (start: MediaTime, end: MediaTime, last: Int)?
    ) -> [SegmentStore.Resident]? {
        if let bounds, from < bounds.start || to > bounds.end { return nil }
        guard from < to else { return nil }
        let first: Int
        if let at = residents.lastIndex(where: { $0.start <= from }) {
            first = at
        } else {
            // Before the first sample of the film's first segment there is none.
            guard bounds != nil, residents.first?.index == 0 else { return nil }
            first = 0
        }
        let last: Int
        if let at = residents[first...].firstIndex(where: { $0.end >= to }) {
            last = at
        } else {
            guard let bounds, residents.last?.index == bounds.last else { return nil }
            last = residents.count - 1
        }
        guard residents[last].index - residents[first].index == last - first else { return nil }
        let hasPredecessor = first > 0 && residents[first - 1].index == residents[first].index - 1
        // Without what came before, a decoder's first frames are not the film's.
        guard hasPredecessor || residents[first].index == 0 || from >= residents[first].start + warmUp else { return nil }
        return Array(residents[(hasPredecessor ? first - 1 : first)...last])
    }
}
