internal import BitsAndTime
internal import Foundation

/// Measured bit rates against BANDWIDTH and AVERAGE-BANDWIDTH (RFC 8216 §4.1, §4.3.4.2; Apple 1.26 to 1.30, 9.13).
enum BitRateCheck {
    struct Rate: Sendable, Equatable {
        /// Bits a second.
        var peak: Double
        var average: Double
    }

    /// Of one media playlist; `nil` unless every segment was fetched.
    static func measure(_ rendition: RenditionRecord) -> Rate? {
        let sizes = rendition.segments.compactMap(\.byteCount)
        guard !sizes.isEmpty, sizes.count == rendition.segments.count, let target = rendition.model.target else { return nil }
        let lengths = rendition.segments.map { $0.duration.seconds }
        let total = lengths.reduce(0, +)
        guard total > 0 else { return nil }
        let average = Double(sizes.reduce(0, +)) * 8 / total
        // The largest of any contiguous run whose duration is half to one and a half times the target.
        var peak = 0.0
        for start in sizes.indices {
            var (bits, length) = (0.0, 0.0)
            for end in start..<sizes.count {
                bits += Double(sizes[end]) * 8
                length += lengths[end]
                if length > Double(target) * 1.5 { break }
                if length >= Double(target) * 0.5 { peak = max(peak, bits / length) }
            }
        }
        return Rate(peak: peak > 0 ? peak : average, average: average)
    }

    static func check(
        _ variant: MultivariantModel.Variant, index: Int, _ model: MultivariantModel, _ renditions: [RenditionRecord], at place: Place, into findings: inout Findings
    ) {
        guard let own = renditions.first(where: { $0.variants.contains(index) }), var rate = measure(own) else { return }
        for type in ["AUDIO", "VIDEO", "SUBTITLES"] {
            guard let group = variant.group(type) else { continue }
            let members = renditions.filter { $0.media?.type == type && $0.media?.group == group }
            // An audio-only variant may name a member of its own group: that is played once.
            if members.contains(where: { $0.url == own.url }) { continue }
            let rates = members.compactMap(measure)
            guard rates.count == members.count else { return }
            rate.peak += rates.map(\.peak).max() ?? 0
            rate.average += rates.map(\.average).max() ?? 0
        }
        let isComplete = own.model.isEnded
        guard let declared = variant.bandwidth, declared > 0 else { return }
        let ratio = rate.peak / Double(declared)
        if ratio > (isComplete ? 1.1 : 1.25) {
            findings.add(.peakOver, place, "the peak is \(whole(rate.peak)) bit/s, BANDWIDTH \(declared): \(percent(ratio)) of it")
        } else if ratio < 0.9, isComplete {
            findings.add(.peakUnder, place, "the peak is \(whole(rate.peak)) bit/s, BANDWIDTH \(declared): \(percent(ratio)) of it")
        }
        guard isComplete else { return }
        if let average = variant.averageBandwidth, average > 0 {
            let ratio = rate.average / Double(average)
            if ratio > 1.1 || ratio < 0.9 {
                findings.add(.averageOff, place, "the average is \(whole(rate.average)) bit/s, AVERAGE-BANDWIDTH \(average): \(percent(ratio)) of it")
            }
        }
        if rate.peak > rate.average * 2, !variant.isFramesOnly {
            findings.add(.peakSteep, place, "the peak is \(whole(rate.peak)) bit/s, the average \(whole(rate.average))")
        }
    }

    private static func whole(_ value: Double) -> String { String(Int64(value.rounded())) }
    private static func percent(_ ratio: Double) -> String { "\(Int64((min(ratio, 1e12) * 100).rounded())) %" }
}

extension Rule {
    static let peakOver = Rule("bandwidth.peak", .must, "RFC 8216 §4.3.4.2, Apple HLS Authoring 1.27, 1.29, 9.13", fix: "Raise BANDWIDTH to the measured peak.")
    static let peakUnder = Rule("bandwidth.peak-overstated", .should, "RFC 8216 §4.3.4.2, Apple HLS Authoring 1.27", fix: "Lower BANDWIDTH to the measured peak.")
    static let averageOff = Rule("bandwidth.average", .should, "Apple HLS Authoring 1.26", fix: "State the measured average.")
    static let peakSteep = Rule("bandwidth.steep", .note, "Apple HLS Authoring 1.30", fix: "Encode with a tighter rate, where you encode.")
}
