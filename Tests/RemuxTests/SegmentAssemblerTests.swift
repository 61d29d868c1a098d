import BitsAndTime
import ISOBMFF
@testable import Remux
import TestSupport
import Testing

/// Cutting, placing and closing, on made-up samples.
@Suite struct SegmentAssemblerTests {
    private static let scale: Int32 = 24
    private static let rate: Int32 = 48_000

    private func rendition(_ id: RenditionID, silence: SilenceFiller? = nil) -> Rendition {
        let media: TrackDescription.Media =
            id == .video
            ? .video(.init(width: 160, height: 90, sampleAspectRatio: (1, 1), bitDepth: 8, primaries: nil, transfer: nil, matrix: nil, isFullRange: nil, frameRate: (24, 1), frameRateSource: .container))
            : .audio(.init(channels: 2, channelLayout: nil, sampleRate: Self.rate, frameLength: 1024, jocComplexity: nil))
        let track = TrackDescription(
            streamIndex: 0, codec: id == .video ? .avc : .aac, media: media, codecString: "", configuration: [], language: nil, title: nil,
            isDefault: true, isOriginal: false, isCommentary: false, isDescription: false, bitRate: nil)
        return Rendition(
            id: id, track: track, timescale: id == .video ? Self.scale : Self.rate, presentationOffset: 0, decodeDelay: 0, initialization: [],
            firstPresentation: .zero, frameDuration: MediaTime(ticks: 1024, timescale: Self.rate), silence: silence)
    }

    private func picture(_ frame: Int64, key: Bool = false) -> VideoSample {
        VideoSample(
            pts: frame, timescale: Self.scale, sourcePTS: frame, sourceDTS: frame, durationTicks: 1, isSync: key,
            payload: [UInt8(truncatingIfNeeded: frame), key ? 1 : 0])
    }

    private func sound(_ frame: Int64) -> AudioSample {
        AudioSample(position: frame * 1024, sampleCount: 1024, payload: [UInt8(truncatingIfNeeded: frame), UInt8(truncatingIfNeeded: frame >> 8)])
    }

    /// Twenty seconds: a keyframe each second, audio interleaved by time.
    private func film(audioLead: Int64 = 0) -> [(video: VideoSample?, audio: AudioSample?)] {
        var samples: [(time: Int64, video: VideoSample?, audio: AudioSample?)] = []
        for frame in Int64(0)..<480 { samples.append((frame * 2000, picture(frame, key: frame % 24 == 0), nil)) }
        for frame in Int64(0)..<937 { samples.append((frame * 1024 - audioLead, nil, sound(frame))) }
        return samples.sorted { $0.time < $1.time }.map { ($0.video, $0.audio) }
    }

    private func plan() throws -> SegmentPlan {
        try SegmentPlan(
            index: KeyframeIndex(axis: .presentation, times: (0..<20).map { $0 * 24 }, timescale: Self.scale), presentationShift: 0,
            sourceEnd: MediaTime(ticks: 20, timescale: 1))
    }

    private func assemble(_ samples: [(video: VideoSample?, audio: AudioSample?)], schedule: CutSchedule, anchor: Int = 0) -> [MediaFragment] {
        var assembler = SegmentAssembler(renditions: [rendition(.video), rendition(.audio(0))], schedule: schedule, anchor: anchor)
        var fragments: [MediaFragment] = []
        for sample in samples {
            if let video = sample.video { fragments += assembler.append(video) }
            if let audio = sample.audio { fragments += assembler.append(audio, to: .audio(0)) }
        }
        return fragments + assembler.finish()
    }

    private func bytes(_ fragments: [MediaFragment]) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: fragments.map { ("\($0.rendition)/\($0.index)", $0.content.joined() ?? []) })
    }

    @Test func soundGoesIntoThePicturesSegments() throws {
        let fragments = assemble(film(), schedule: .planned(try plan()))
        let (pictures, sound) = (fragments.filter { $0.rendition == .video }, fragments.filter { $0.rendition != .video })
        // Whichever comes first, and whatever comes at once.
        for order in [fragments, sound + pictures, pictures + sound] {
            for size in [1, 3, order.count] {
                var joiner = FragmentJoiner()
                var joined: [MediaFragment] = []
                for start in stride(from: 0, to: order.count, by: size) { joined += joiner.join(Array(order[start..<min(start + size, order.count)])) }
                joined += joiner.finish([])
                #expect(joined.map(\.index) == pictures.map(\.index))
                #expect(joined.map(\.rendition) == pictures.map { _ in .video })
                #expect(joined.map(\.start) == pictures.map(\.start))
                for (whole, (picture, heard)) in zip(joined, zip(pictures, sound)) {
                    let bytes = try #require(whole.content.joined())
                    let parts = try MovieFragment.parse(segment: bytes)
                    #expect(parts.map(\.fragment.trackID) == [1, 2])
                    for (part, source) in zip(parts, [picture, heard]) {
                        let own = try #require(source.content.joined())
                        let alone = try #require(try MovieFragment.parse(segment: own).first)
                        #expect(part.fragment.samples == alone.fragment.samples)
                        #expect(part.fragment.baseMediaDecodeTime == alone.fragment.baseMediaDecodeTime)
                        #expect(part.sampleRanges.map { bytes[$0] } == alone.sampleRanges.map { own[$0] })
                    }
                }
            }
        }
    }

    @Test func aPictureWhoseSoundNeverCameGoesOutAtTheEnd() throws {
        let pictures = assemble(film(), schedule: .planned(try plan())).filter { $0.rendition == .video }
        var joiner = FragmentJoiner()
        #expect(joiner.join(pictures).isEmpty)
        #expect(joiner.finish([]).map(\.index) == pictures.map(\.index))
        #expect(joiner.finish([]).isEmpty)
    }

    @Test func plannedSegmentsAreTheSameFromTheHeadAndFromAnyAnchor() throws {
        let schedule = CutSchedule.planned(try plan())
        for lead: Int64 in [0, 48_000] {
            let all = bytes(assemble(film(audioLead: lead), schedule: schedule))
            for anchor in 1..<4 {
                // Reading begins somewhere before the anchor: pre-roll is dropped.
                let start = try plan().segments[anchor].start
                let from = max(0, start.seconds - 2)
                let tail = film(audioLead: lead).filter { $0.video.map { $0.presentation.seconds >= from } ?? true }
                for (key, value) in bytes(assemble(tail, schedule: schedule, anchor: anchor)) { #expect(value == all[key], "\(key) from \(anchor)") }
            }
        }
    }

    @Test func everyFrameIsInExactlyOneSegmentAndSegmentsJoin() throws {
        for schedule in [CutSchedule.planned(try plan()), .sequential] {
            let fragments = assemble(film(), schedule: schedule)
            for id in [RenditionID.video, .audio(0)] {
                let own = fragments.filter { $0.rendition == id }
                #expect(own.map(\.index) == Array(0..<own.count))
                #expect(own.reduce(0) { $0 + $1.sampleCount } == (id == .video ? 480 : 937))
                for (a, b) in zip(own, own.dropFirst()) { #expect(a.start + a.duration == b.start) }
            }
            #expect(fragments.filter { $0.rendition == .video }.map(\.start.seconds) == [0, 2, 8, 14])
        }
    }

    @Test func aKeyframeOpensItsSegmentWithItsLeadingPicturesBehindIt() throws {
        // Decode order of an open GOP: the keyframe at 48, then 46 and 47, which are shown before it.
        var samples = (Int64(0)..<46).map { picture($0, key: $0 == 0) }
        samples += [picture(48, key: true), picture(46), picture(47)] + (Int64(49)..<60).map { picture($0) }
        var assembler = SegmentAssembler(renditions: [rendition(.video)], schedule: .sequential)
        var fragments: [MediaFragment] = []
        for sample in samples { fragments += assembler.append(sample) }
        fragments += assembler.finish()
        let parsed = try fragments.flatMap { try MovieFragment.parse(segment: $0.content.joined() ?? []) }.map(\.fragment)
        #expect(parsed.map(\.samples.count) == [46, 14])
        // The segment before ends where this one's presentation begins, and nothing overlaps.
        #expect(parsed[1].baseMediaDecodeTime == 46)
        #expect(parsed[1].samples[0].compositionTimeOffsetTicks == 2 && parsed[1].samples[0].flags.isSync)
        #expect(parsed[1].samples.dropFirst().allSatisfy { !$0.flags.isSync })
        #expect(parsed[0].samples.reduce(0) { $0 + $1.durationTicks } == 46)
    }

    @Test func aKeyframeDroughtKeepsTheSegmentOpenForPictureAndSound() throws {
        var samples = film().map { (video: $0.video.map { picture($0.pts, key: [0, 48, 96, 432].contains($0.pts)) }, audio: $0.audio) }
        samples.removeAll { $0.video == nil && $0.audio == nil }
        let fragments = assemble(samples, schedule: .sequential)
        #expect(fragments.filter { $0.rendition == .video }.map(\.start.seconds) == [0, 2, 18])
        #expect(fragments.filter { $0.rendition == .audio(0) }.count == 3)
    }

    @Test func anIndexThatPromisesAKeyframeThatIsNotThereLeavesAnEmptySegmentAndNoHole() throws {
        let samples = film().map { (video: $0.video.map { picture($0.pts, key: $0.isSync && !(192..<336).contains($0.pts)) }, audio: $0.audio) }
        let video = assemble(samples, schedule: .planned(try plan())).filter { $0.rendition == .video }
        #expect(video.map(\.index) == [0, 1, 2, 3])
        #expect(video[2].sampleCount == 0)
        #expect(video.reduce(0) { $0 + $1.sampleCount } == 480)
    }

    @Test func repeatedPresentationTimesAreKeptCountedAndStillRise() throws {
        let samples = [picture(0, key: true), picture(1), picture(1), picture(1), picture(4)]
        var assembler = SegmentAssembler(renditions: [rendition(.video)], schedule: .sequential)
        for sample in samples { _ = assembler.append(sample) }
        let written = try #require(assembler.finish().first)
        let fragments = try MovieFragment.parse(segment: written.content.joined() ?? [])
        let fragment = try #require(fragments.first).fragment
        #expect(assembler.repeatedTimes == 2)
        #expect(fragment.samples.count == 5)
        #expect(fragment.samples.allSatisfy { $0.durationTicks > 0 })
    }

    @Test func picturesBeforeTheFirstKeyframeAreLeftOutAndCounted() {
        var assembler = SegmentAssembler(renditions: [rendition(.video)], schedule: .sequential)
        for sample in [picture(0), picture(1), picture(2, key: true), picture(3)] { _ = assembler.append(sample) }
        #expect(assembler.finish().first?.sampleCount == 2)
        #expect(assembler.undecodableVideoCount == 2)
    }

    @Test func aTrackThatEndsEarlyDoesNotHoldThePictureBack() throws {
        let samples = film().filter { $0.audio.map { $0.position < 5 * 48_000 } ?? true }
        let fragments = assemble(samples, schedule: .planned(try plan()))
        #expect(fragments.filter { $0.rendition == .audio(0) }.map { $0.sampleCount > 0 } == [true, true, false, false])
    }

    @Test func aSourceWithoutEndLeavesNothingBehind() {
        var assembler = SegmentAssembler(renditions: [rendition(.video), rendition(.audio(0))], schedule: .sequential)
        var (kept, segments) = (0, 0)
        // One picture and one frame of sound a second, for half a day; the sound pauses for a minute in each hour.
        for second in Int64(0)..<43_200 {
            var fragments = assembler.append(picture(second * 24, key: true))
            if second % 3600 > 60 {
                fragments += assembler.append(AudioSample(position: second * 48_000, sampleCount: 48_000, payload: [1]), to: .audio(0))
            }
            kept = max(kept, assembler.boundaries.count)
            segments += fragments.count { $0.rendition == .audio(0) }
        }
        #expect(segments > 7190 && kept < 8, "\(kept) boundaries of \(segments) segments")
    }

    @Test func holesAreFilledWithSilenceOnTheTracksOwnGrid() throws {
        let silent = rendition(.audio(0), silence: SilenceFiller(origin: 0, frameLength: 1024, frame: .coded([7])))
        let holes = [4.0..<11.0, 15.5..<21.0]
        let samples = film().filter { sample in sample.audio.map { frame in !holes.contains { $0.contains(Double(frame.position) / 48_000) } } ?? true }
        var all: [String: [UInt8]] = [:]
        for anchor in 0..<4 {
            var assembler = SegmentAssembler(renditions: [rendition(.video), silent], schedule: .planned(try plan()), anchor: anchor)
            var fragments: [MediaFragment] = []
            for sample in samples {
                if let video = sample.video { fragments += assembler.append(video) }
                if let audio = sample.audio { fragments += assembler.append(audio, to: .audio(0)) }
            }
            fragments += assembler.finish()
            let sound = fragments.filter { $0.rendition == .audio(0) }
            for (a, b) in zip(sound, sound.dropFirst()) { #expect(a.start + a.duration == b.start) }
            if anchor == 0 {
                #expect(sound.reduce(0) { $0 + $1.sampleCount } == 938, "twenty seconds in whole frames")
                #expect(fragments.reduce(0) { $0 + $1.silentFrames } == 938 - samples.count { $0.audio != nil })
                all = bytes(fragments)
            } else {
                for (key, value) in bytes(fragments) { #expect(value == all[key], "\(key) from \(anchor)") }
            }
        }
    }
}
