internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// A media segment of fragmented MP4: its boxes, and that they lead to the samples they speak of (RFC 8216 §3.3, ISO/IEC 14496-12 §8.8).
enum SegmentCheck {
    struct Context {
        let resource: String
        let initialization: InitializationFacts?
        /// INDEPENDENT-SEGMENTS is claimed.
        let isIndependent: Bool
        let isEncrypted: Bool
    }

    static func check(_ bytes: [UInt8], _ context: Context, into findings: inout Findings) -> SegmentFacts {
        var facts = SegmentFacts(byteCount: bytes.count)
        let place = Place(context.resource)
        guard !bytes.isEmpty else {
            findings.add(.segmentEmpty, place, "the segment has no bytes")
            return facts
        }
        let top: [Box]
        do throws(ParseError) {
            top = try Box.sequence(in: bytes[...], context: "segment")
        } catch {
            findings.add(.boxes, Place(context.resource, byteOffset: error.offset), error.reason)
            return facts
        }
        guard top.contains(where: { $0.type == "moof" }) else {
            findings.add(.noFragment, place, "no moof: \(top.map { "\($0.type)" }.joined(separator: " "))")
            return facts
        }
        checkPairs(top, context, into: &findings)
        checkIndex(top, context, into: &findings)
        var isReadable = true
        for moof in top where moof.type == "moof" {
            if !FragmentHeaderCheck.check(moof, context, into: &findings) { isReadable = false }
        }
        guard isReadable else { return facts }
        let fragments: [MovieFragment.Parsed]
        do throws(ParseError) {
            fragments = try MovieFragment.parse(segment: bytes, defaults: context.initialization?.defaults ?? [:])
        } catch {
            findings.add(.run, Place(context.resource, box: error.context, byteOffset: error.offset), error.reason)
            return facts
        }
        checkData(fragments, top: top, context, into: &findings)
        for parsed in fragments {
            if facts.sequenceNumbers.last != parsed.fragment.sequenceNumber { facts.sequenceNumbers.append(parsed.fragment.sequenceNumber) }
            guard let track = context.initialization?.track(parsed.fragment.trackID), track.timescale > 0, let initialization = context.initialization else { continue }
            FragmentReading.add(parsed, bytes: bytes, track: track, initialization: initialization, context, to: &facts, into: &findings)
        }
        for run in facts.runs { checkOpening(run, context, into: &findings) }
        if fragments.allSatisfy(\.fragment.samples.isEmpty), let media = context.initialization?.tracks.first?.media, media != .text {
            findings.add(media == .video ? .noPicture : .noSample, place, "no sample in it")
        }
        return facts
    }

    private static func checkPairs(_ top: [Box], _ context: Context, into findings: inout Findings) {
        var open: Box?
        for box in top {
            if box.type == "moof" {
                if let open { findings.add(.noData, Place(context.resource, box: "moof", byteOffset: open.offset), "the moof has no mdat before the next one") }
                open = box
            } else if box.type == "mdat" {
                if open == nil { findings.add(.dataFirst, Place(context.resource, box: "mdat", byteOffset: box.offset), "an mdat that no moof comes before") }
                open = nil
            }
        }
        if let open { findings.add(.noData, Place(context.resource, box: "moof", byteOffset: open.offset), "the moof has no mdat behind it") }
    }

    private static func checkIndex(_ top: [Box], _ context: Context, into findings: inout Findings) {
        for box in top where box.type == "sidx" {
            let place = Place(context.resource, box: "sidx", byteOffset: box.offset)
            do throws(ParseError) {
                let index = try SegmentIndex(parsing: box)
                let end = box.offset + box.headerByteCount + box.payload.count
                let all = index.references.reduce(UInt64(0)) { $0 + UInt64($1.byteCount) } &+ index.firstOffset
                let rest = (top.last.map { $0.offset + $0.headerByteCount + $0.payload.count } ?? end) - end
                if all > UInt64(rest) { findings.add(.index, place, "it speaks of \(all) bytes, \(rest) follow") }
            } catch {
                findings.add(.index, place, error.description)
            }
        }
    }

    /// Samples lie in an mdat, and the mdats hold nothing else.
    private static func checkData(_ fragments: [MovieFragment.Parsed], top: [Box], _ context: Context, into findings: inout Findings) {
        let data = top.filter { $0.type == "mdat" }.map { ($0.offset + $0.headerByteCount)..<($0.offset + $0.headerByteCount + $0.payload.count) }
        var used = 0
        for parsed in fragments {
            used += parsed.sampleRanges.reduce(0) { $0 + $1.count }
            let stray = parsed.sampleRanges.firstIndex { range in
                !range.isEmpty && !data.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
            }
            guard let stray else { continue }
            let range = parsed.sampleRanges[stray]
            findings.add(
                .outsideData, Place(context.resource, box: "moof/traf/trun", byteOffset: range.lowerBound),
                "sample \(stray) of track \(parsed.fragment.trackID) lies outside mdat")
            return
        }
        let all = data.reduce(0) { $0 + $1.count }
        if used < all { findings.add(.dataLeft, Place(context.resource, box: "mdat"), "samples take \(used) of its \(all) bytes") }
        if used > all { findings.add(.outsideData, Place(context.resource, box: "mdat"), "samples take \(used) bytes, it has \(all)") }
    }

    private static func checkOpening(_ run: SegmentFacts.Run, _ context: Context, into findings: inout Findings) {
        guard run.media == .video, run.sampleCount > 0 else { return }
        let place = Place(context.resource, box: "moof/traf/trun")
        if !run.opensOnSync {
            findings.add(context.isIndependent ? .dependent : .noSync, place, "the first sample is no sync sample")
        }
        guard !context.isEncrypted, let opening = run.opening else { return }
        if run.opensOnSync, opening == .none { findings.add(.syncClaim, place, "the first sample is flagged sync, its bytes are no random-access picture") }
        if context.isIndependent, run.skippedPictures > 0 {
            findings.add(.dependent, place, "\(run.skippedPictures) pictures refer to the segment before (open GOP)")
        } else if run.opensOnSync, opening == .craOrBLA || opening == .recoveryPoint || opening == .intraOnly {
            findings.add(.notIDR, place, "it opens with a picture that is no IDR")
        }
    }
}

extension Rule {
    static let segmentEmpty = Rule("segment.empty", .must, "RFC 8216 §3", fix: "Serve the segment's bytes, or answer with an error.")
    static let noFragment = Rule("segment.moof", .must, "RFC 8216 §3.3", fix: "Begin each segment's media with a moof.")
    static let noData = Rule("segment.mdat", .must, "RFC 8216 §3.3, ISO/IEC 14496-12 §8.8", fix: "Put the samples into an mdat behind their moof.")
    static let dataFirst = Rule("segment.mdat-first", .should, "ISO/IEC 23000-19 §7.3.2.3", fix: "Put moof before its mdat.")
    static let index = Rule("segment.sidx", .should, "ISO/IEC 14496-12 §8.16.3", fix: "Write sidx for the bytes that follow, or leave it out.")
    static let run = Rule("segment.trun", .must, "ISO/IEC 14496-12 §8.8.8", fix: "Let trun describe the samples that are there.")
    static let outsideData = Rule("segment.data-outside", .must, "ISO/IEC 14496-12 §8.1.1, §8.8.8", fix: "Let data_offset and the sizes point into mdat.")
    static let dataLeft = Rule("segment.data-left", .should, "ISO/IEC 14496-12 §8.1.1", fix: "Leave bytes out that no sample takes.")
    static let noPicture = Rule("segment.no-picture", .must, "RFC 8216 §3", fix: "Cut so that each segment has a picture.")
    static let noSample = Rule("segment.no-sample", .should, "RFC 8216 §3, Apple HLS Authoring 7.1", fix: "Fill with silence where a track has nothing.")
    static let dependent = Rule("segment.dependent", .must, "RFC 8216 §4.3.5.1", fix: "Cut at closed GOPs, or take EXT-X-INDEPENDENT-SEGMENTS away.")
    static let noSync = Rule("segment.no-sync", .should, "RFC 8216 §3, Apple HLS Authoring 7.4", fix: "Cut before a sync sample.")
    static let syncClaim = Rule(
        "segment.sync-flag", .must, "ISO/IEC 14496-12 §8.8.3.1, 14496-15 §5.4.4, §8.3.2", fix: "Flag as sync only what decoding can begin with.")
    static let notIDR = Rule("segment.no-idr", .should, "Apple HLS Authoring 7.4", fix: "Cut at IDR pictures where Apple devices are meant.")
}
