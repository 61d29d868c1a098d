package import BitsAndTime
internal import Foundation
internal import HLS
internal import ISOBMFF
internal import Libav

/// Holds every served segment against what the playlist promises of it.
package struct SegmentVerifier: Sendable {
    package struct Finding: Sendable, Equatable, Codable {
        package let rendition: String
        /// Segment number; `nil` for the rendition as a whole.
        package let segment: Int?
        package let problem: String
    }

    package struct Report: Sendable, Equatable, Codable {
        package var segments = 0
        package var bytes = 0
        package var samples = 0
        package var decodedFrames = 0
        /// Segments fetched again from a second production and compared byte for byte.
        package var comparedAgain = 0
        package var findings: [Finding] = []
    }

    /// How far a segment's first presentation time may lie off the playlist's sum of durations: container clocks count milliseconds,
    /// and EXTINF microseconds.
    package static let timeTolerance = MediaTime(ticks: 5, timescale: 1000)

    private let client: HTTPClient

    package init(client: HTTPClient = HTTPClient()) { self.client = client }

    /// Fetches and checks all of it.
    ///
    /// - Parameter progress: Told after each segment: how many are done, and of how many.
    package func verify(_ presentation: ServedPresentation, progress: (Int, Int) -> Void = { _, _ in }) async throws -> Report {
        var report = Report()
        let total = presentation.renditions.reduce(0) { $0 + $1.segments.count }
        for rendition in presentation.renditions {
            report = try await verify(rendition, after: report) { progress($0, total) }
        }
        let lengths = presentation.renditions.map { $0.playlist.segments.count }
        // Where there is no plan, a track that pauses has fewer and longer entries.
        if Set(lengths).count > 1, presentation.renditions.contains(where: { $0.playlist.playlistType == .vod }) {
            report.findings.append(Finding(rendition: "all", segment: nil, problem: "renditions list different numbers of segments: \(lengths)"))
        }
        return report
    }

    /// Fetches a sample of segments from another production of the same source, in another order, and compares.
    package func compare(_ first: ServedPresentation, with second: ServedPresentation, count: Int, into report: inout Report) async throws {
        for (a, b) in zip(first.renditions, second.renditions) {
            let stride = max(1, a.segments.count / max(count, 1))
            for index in a.segments.indices.reversed() where index % stride == 0 || index == a.segments.count - 1 {
                guard b.segments.indices.contains(index) else { continue }
                let (again, before) = (try await client.get(b.segments[index]), try await client.get(a.segments[index]))
                report.comparedAgain += 1
                if before != again {
                    report.findings.append(Finding(rendition: a.name, segment: index, problem: "produced again it differs (\(before.count) and \(again.count) bytes)"))
                }
            }
        }
    }

    /// One track of a rendition: segments may hold the picture and its sound.
    private struct Track {
        let id: UInt32
        /// Place among the init segment's tracks.
        let number: Int
        let isVideo: Bool
        let timescale: Int32
        let offset: MediaTime
        var expectedStart: MediaTime?
        var origin: MediaTime?

        init?(_ segment: InitializationSegment, number: Int) {
            guard let timescale = Int32(exactly: segment.timescale) else { return nil }
            (id, self.number, self.timescale) = (segment.trackID, number, timescale)
            offset = MediaTime(ticks: Int64(clamping: segment.presentationOffset), timescale: timescale)
            if case .visual = segment.sampleEntry { isVideo = true } else { isVideo = false }
        }
    }

    private func verify(_ rendition: ServedPresentation.Rendition, after earlier: Report, progress: (Int) -> Void) async throws -> Report {
        var report = earlier
        var findings: [Finding] = []
        func note(_ segment: Int?, _ problem: String) { findings.append(Finding(rendition: rendition.name, segment: segment, problem: problem)) }
        func finished() -> Report {
            report.findings += findings
            return report
        }
        var initialization = try await client.get(rendition.initialization)
        var tracks: [Track] = []
        do {
            for (number, segment) in try InitializationSegment.tracks(parsing: initialization).enumerated() {
                guard let track = Track(segment, number: number) else {
                    note(nil, "timescale \(segment.timescale)")
                    return finished()
                }
                tracks.append(track)
            }
        } catch {
            note(nil, "init segment: \(error)")
            return finished()
        }
        var listed = MediaTime.zero
        for (index, url) in rendition.segments.enumerated() {
            // Behind a discontinuity times may stand anywhere (RFC 8216 §4.3.2.3).
            if rendition.playlist.segments[index].isDiscontinuity {
                for at in tracks.indices { (tracks[at].expectedStart, tracks[at].origin) = (nil, nil) }
            }
            if let renewal = rendition.renewals[index] { initialization = try await client.get(renewal) }
            let bytes = try await client.get(url)
            report.segments += 1
            report.bytes += bytes.count
            defer {
                listed = listed + rendition.playlist.segments[index].duration
                progress(report.segments)
            }
            let fragments: [MovieFragment.Parsed]
            do {
                fragments = try MovieFragment.parse(segment: bytes)
            } catch {
                note(index, "\(error)")
                continue
            }
            guard fragments.map(\.fragment.trackID).sorted() == tracks.map(\.id).sorted() else {
                note(index, "fragments of the tracks \(fragments.map(\.fragment.trackID)) where one each belongs of \(tracks.map(\.id))")
                continue
            }
            for at in tracks.indices {
                guard let fragment = fragments.first(where: { $0.fragment.trackID == tracks[at].id })?.fragment else { continue }
                report.samples += fragment.samples.count
                report.decodedFrames += check(fragment, of: &tracks[at], in: rendition, index: index, listed: listed, bytes: initialization + bytes) { note(index, $0) }
            }
        }
        return finished()
    }

    /// - Returns: How many frames were decoded.
    private func check(
        _ fragment: MovieFragment, of track: inout Track, in rendition: ServedPresentation.Rendition, index: Int, listed: MediaTime, bytes: [UInt8],
        note: (String) -> Void
    ) -> Int {
        let (samples, timescale) = (fragment.samples, track.timescale)
        guard let first = samples.first else {
            // Nothing of this track here: no time to hold against anything.
            if track.isVideo { note("no picture") }
            track.expectedStart = nil
            return 0
        }
        let decodeStart = MediaTime(ticks: Int64(clamping: fragment.baseMediaDecodeTime), timescale: timescale)
        if let expectedStart = track.expectedStart, decodeStart != expectedStart, track.isVideo || decodeStart < expectedStart {
            note("begins at \(decodeStart.seconds) s, the one before ends at \(expectedStart.seconds) s")
        }
        let length = samples.reduce(Int64(0)) { $0 + Int64($1.durationTicks) }
        track.expectedStart = decodeStart + MediaTime(ticks: length, timescale: timescale)
        if samples.contains(where: { $0.durationTicks == 0 }) { note("a sample of no duration") }
        if !first.flags.isSync { note("does not open on a sync sample") }

        let presented = decodeStart + MediaTime(ticks: Int64(first.compositionTimeOffsetTicks), timescale: timescale) - track.offset
        if track.isVideo {
            if track.origin == nil { track.origin = presented - listed }
            let promised = listed + (track.origin ?? .zero)
            // Pictures shown before the opening one belong to the segment: its presentation may begin with either.
            let earliest = decodeStart + MediaTime(ticks: earliestOffset(samples), timescale: timescale) - track.offset
            if promised - presented > Self.timeTolerance || earliest - promised > Self.timeTolerance {
                note("its presentation begins between \(earliest.seconds) and \(presented.seconds) s, the playlist says \(promised.seconds) s")
            }
            checkDuration(rendition, index, length: MediaTime(ticks: length, timescale: timescale), samples: samples, timescale: timescale, note: note)
        }
        return decode(bytes, samples: samples, track: track.number, isVideo: track.isVideo, note: note)
    }

    /// Earliest presentation time of a fragment, from its first decode time.
    private func earliestOffset(_ samples: [FragmentSample]) -> Int64 {
        var time: Int64 = 0
        var earliest = Int64.max
        for sample in samples {
            earliest = min(earliest, time + Int64(sample.compositionTimeOffsetTicks))
            time += Int64(sample.durationTicks)
        }
        return samples.isEmpty ? 0 : earliest
    }

    private func checkDuration(
        _ rendition: ServedPresentation.Rendition, _ index: Int, length: MediaTime, samples: [FragmentSample], timescale: Int32, note: (String) -> Void
    ) {
        // Leading pictures move a segment's presentation edges by themselves; the last segment ends where its pictures do.
        guard index + 1 < rendition.segments.count else { return }
        let longest = samples.map(\.durationTicks).max() ?? 0
        let reordered = samples.map { $0.compositionTimeOffsetTicks.magnitude }.max() ?? 0
        let tolerance = MediaTime(ticks: Int64(longest) + Int64(reordered), timescale: timescale) + Self.timeTolerance
        let difference = length - rendition.playlist.segments[index].duration
        if difference > tolerance || -difference > tolerance {
            note("lasts \(length.seconds) s, the playlist says \(rendition.playlist.segments[index].duration.seconds) s")
        }
    }

    private func decode(_ bytes: [UInt8], samples: [FragmentSample], track: Int, isVideo: Bool, note: (String) -> Void) -> Int {
        do throws(LibavError) {
            let decoded = try DecodedFragment(bytes: bytes, streamIndex: track)
            if decoded.frames.isEmpty { note("nothing in it decodes") }
            if decoded.packets.count != samples.count { note("a demuxer finds \(decoded.packets.count) of \(samples.count) samples") }
            // Pictures shown before the opening one may refer to the segment before; all others must decode.
            let opening = samples.first.map { Int64($0.compositionTimeOffsetTicks) } ?? 0
            var time: Int64 = 0
            var leading = 0
            for sample in samples {
                if time + Int64(sample.compositionTimeOffsetTicks) < opening { leading += 1 }
                time += Int64(sample.durationTicks)
            }
            if isVideo, decoded.frames.count(where: { !$0.isCorrupt }) < samples.count - leading {
                note("\(decoded.frames.count(where: { !$0.isCorrupt })) of \(samples.count - leading) pictures decode from this segment alone")
            }
            return decoded.frames.count
        } catch {
            note(error.kind == .unsupported ? "no decoder here to check it with" : "decoding: \(error)")
            return 0
        }
    }
}
