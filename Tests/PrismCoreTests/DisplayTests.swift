import Foundation
import HLS
@testable import PrismCore
import Remux
import Testing

/// What is decided about displays, row by row: each row is one promise.
@Suite(.fewAtATime) struct DisplayTests {
    // MARK: Films

    private static func claims(
        _ codec: String, _ range: TrackDescription.DynamicRange, supplement: String? = nil, dolbyVision: (profile: Int, compatibility: Int)? = nil,
        base: VideoClaims.BaseLayer?? = .none, rate: VideoClaims.FrameRate? = .init(numerator: 24000, denominator: 1001)
    ) -> VideoClaims {
        VideoClaims(
            codecString: codec, supplementalCodecs: supplement.map { [$0] } ?? [], range: range,
            dolbyVision: dolbyVision.map { .init(profile: $0.profile, level: 6, compatibilityID: $0.compatibility) },
            baseLayer: base ?? .init(codecString: codec, range: range), frameRate: rate, width: 3840, height: 2160)
    }

    private static let sdr = claims("avc1.640028", .sdr)
    private static let hdr10 = claims("hvc1.2.4.L153.B0", .pq)
    private static let hlg = claims("hvc1.2.4.L153.B0", .hlg)
    private static let profile5 = claims("dvh1.05.06", .pq, dolbyVision: (5, 0), base: .some(nil))
    private static let profile81 = claims("hvc1.2.4.L153.B0", .pq, supplement: "dvh1.08.06/db1p", dolbyVision: (8, 1))
    private static let profile84 = claims("hvc1.2.4.L153.B0", .hlg, supplement: "dvh1.08.06/db4h", dolbyVision: (8, 4))
    private static let av1Alone = claims("dav1.10.06", .pq, dolbyVision: (10, 0), base: .some(nil))
    private static let av1HDR10 = claims("av01.0.13M.10", .pq, supplement: "dav1.10.06/db1p", dolbyVision: (10, 1))

    private static let dolbyVision = DisplayCapabilities.unrestricted
    private static let hdr = DisplayCapabilities(isHDRReady: true, isDolbyVisionCapable: false)
    private static let standard = DisplayCapabilities.conservative
    /// Match Content is off, and the panel is parked in HDR.
    private static let parkedInHDR = DisplayCapabilities(isHDRReady: false, isDolbyVisionCapable: false, panelIsCurrentlyHDR: true)
    /// It shows standard range now and switches when asked.
    private static let switching = DisplayCapabilities(isHDRReady: true, isDolbyVisionCapable: true, panelIsCurrentlyHDR: false)

    // MARK: Readings

    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let readings: DisplayReadings
        let isHDRReady: Bool
        let isDolbyVisionCapable: Bool
    }

    @Test(arguments: [
        Reading(
            testDescription: "tvOS: an HDR panel and Match Content on is ready",
            readings: .init(platform: .tvOS, isEligibleForHDR: true, modes: [.hdr10], isMatchingEnabled: true, panelIsCurrentlyHDR: false), isHDRReady: true,
            isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: an HDR panel parked in standard range with Match Content off is not",
            readings: .init(platform: .tvOS, isEligibleForHDR: true, modes: [.hdr10, .hlg], isMatchingEnabled: false, panelIsCurrentlyHDR: false),
            isHDRReady: false, isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: one that is in HDR mode already is, whatever the setting",
            readings: .init(platform: .tvOS, isEligibleForHDR: true, modes: [.hdr10], isMatchingEnabled: false, panelIsCurrentlyHDR: true), isHDRReady: true,
            isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: Match Content makes no HDR panel of one that is none",
            readings: .init(platform: .tvOS, isEligibleForHDR: false, modes: [], isMatchingEnabled: true, panelIsCurrentlyHDR: false), isHDRReady: false,
            isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: a table without modes takes nothing from eligibility",
            readings: .init(platform: .tvOS, isEligibleForHDR: true, modes: [], isMatchingEnabled: true), isHDRReady: true, isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: and one with modes adds to it",
            readings: .init(platform: .tvOS, isEligibleForHDR: false, modes: [.hlg], isMatchingEnabled: true), isHDRReady: true, isDolbyVisionCapable: false),
        Reading(
            testDescription: "tvOS: Dolby Vision is the table's word alone",
            readings: .init(platform: .tvOS, isEligibleForHDR: true, modes: [.hdr10, .dolbyVision], isMatchingEnabled: true), isHDRReady: true,
            isDolbyVisionCapable: true),
        Reading(
            testDescription: "iOS: eligibility is readiness", readings: .init(platform: .builtIn, isEligibleForHDR: true, modes: [.hdr10, .hlg, .dolbyVision]),
            isHDRReady: true, isDolbyVisionCapable: true),
        Reading(
            testDescription: "iOS: a device without is not ready", readings: .init(platform: .builtIn, isEligibleForHDR: false, modes: []), isHDRReady: false,
            isDolbyVisionCapable: false),
        Reading(
            testDescription: "macOS: without a table Dolby Vision is not claimed", readings: .init(platform: .builtIn, isEligibleForHDR: true, modes: nil),
            isHDRReady: true, isDolbyVisionCapable: false),
        Reading(
            testDescription: "macOS: but by a host that knows",
            readings: .init(platform: .builtIn, isEligibleForHDR: true, modes: nil, claimsDolbyVision: true), isHDRReady: true, isDolbyVisionCapable: true),
    ])
    func whatASystemSaysOfItsDisplay(_ row: Reading) {
        let display = DisplayCapabilities(row.readings)
        #expect(display.isHDRReady == row.isHDRReady)
        #expect(display.isDolbyVisionCapable == row.isDolbyVisionCapable)
        #expect(display.panelIsCurrentlyHDR == row.readings.panelIsCurrentlyHDR)
    }

    #if !canImport(AVFoundation)
    /// Their players are other programs, which convert what a display cannot show.
    @Test func awayFromAppleSystemsNothingIsHeldBack() async {
        #expect(PrismCoreSession.Options().display == .unrestricted)
        #expect(await DisplayCapabilities.current() == .unrestricted)
        let session = await PrismCoreSession.readingCurrentDisplay(url: URL(fileURLWithPath: "/"), options: .init(display: .conservative))
        #expect(session.options.display == .unrestricted)
    }
    #endif

    // MARK: Playlists

    struct Playlist: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let claims: VideoClaims
        let display: DisplayCapabilities
        var media = false
        var reduced = false
        let kind: PlaylistDecision.Kind
        let cause: PlaylistDecision.Cause
    }

    private static func withoutRate(_ claims: VideoClaims) -> VideoClaims {
        var claims = claims
        claims.frameRate = nil
        return claims
    }

    @Test(arguments: [
        Playlist(testDescription: "SDR on any panel: master", claims: sdr, display: standard, kind: .multivariant, cause: .standardRange),
        Playlist(testDescription: "SDR on an HDR panel: master", claims: sdr, display: dolbyVision, kind: .multivariant, cause: .standardRange),
        Playlist(testDescription: "SDR without a frame rate: master", claims: withoutRate(sdr), display: standard, kind: .multivariant, cause: .standardRange),
        Playlist(testDescription: "HDR10 on a ready panel: master", claims: hdr10, display: hdr, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "HLG on a ready panel: master", claims: hlg, display: hdr, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "HDR10 on an SDR panel: media", claims: hdr10, display: standard, kind: .media, cause: .displayNotReadyForHDR),
        Playlist(testDescription: "HLG on an SDR panel: media", claims: hlg, display: standard, kind: .media, cause: .displayNotReadyForHDR),
        Playlist(testDescription: "HDR10 on a panel parked in HDR: master", claims: hdr10, display: parkedInHDR, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "HDR10 on a panel that will switch: master", claims: hdr10, display: switching, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "HDR10 without a frame rate: media", claims: withoutRate(hdr10), display: dolbyVision, kind: .media, cause: .frameRateUnknown),
        Playlist(testDescription: "HLG without a frame rate: media", claims: withoutRate(hlg), display: dolbyVision, kind: .media, cause: .frameRateUnknown),
        Playlist(testDescription: "8.1 on a Dolby Vision panel: master", claims: profile81, display: dolbyVision, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "8.1 on an HDR panel: the same master", claims: profile81, display: hdr, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "8.4 on an HDR panel: the same master", claims: profile84, display: hdr, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "8.1 on an SDR panel: media", claims: profile81, display: standard, kind: .media, cause: .displayNotReadyForHDR),
        Playlist(testDescription: "5 on a Dolby Vision panel: master", claims: profile5, display: dolbyVision, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "5 on an HDR panel without: media", claims: profile5, display: hdr, kind: .media, cause: .displayWithoutDolbyVision),
        Playlist(testDescription: "5 on an SDR panel: media", claims: profile5, display: standard, kind: .media, cause: .displayNotReadyForHDR),
        Playlist(testDescription: "AV1 10.0 on an HDR panel without: media", claims: av1Alone, display: hdr, kind: .media, cause: .displayWithoutDolbyVision),
        Playlist(testDescription: "AV1 10.1 on a Dolby Vision panel: master", claims: av1HDR10, display: dolbyVision, kind: .multivariant, cause: .displayTakesRange),
        Playlist(testDescription: "a muxed shape is forced over everything", claims: sdr, display: dolbyVision, media: true, reduced: true, kind: .media, cause: .mediaWanted),
        Playlist(testDescription: "8.1 reduced is HDR10 in a master", claims: profile81, display: dolbyVision, reduced: true, kind: .reducedMultivariant, cause: .reducedWanted),
        Playlist(testDescription: "8.4 reduced is HLG in a master", claims: profile84, display: dolbyVision, reduced: true, kind: .reducedMultivariant, cause: .reducedWanted),
        Playlist(testDescription: "reduced does not open an SDR panel", claims: profile81, display: standard, reduced: true, kind: .media, cause: .displayNotReadyForHDR),
        Playlist(testDescription: "HDR10 cannot be reduced: media, not the same again", claims: hdr10, display: hdr, reduced: true, kind: .media, cause: .nothingToReduce),
        Playlist(testDescription: "nor can 5", claims: profile5, display: dolbyVision, reduced: true, kind: .media, cause: .nothingToReduce),
    ])
    func whichPlaylistIsServed(_ row: Playlist) {
        let decision = PlaylistDecision(claims: row.claims, display: row.display, wantsMedia: row.media, wantsReduced: row.reduced)
        #expect(decision.kind == row.kind)
        #expect(decision.cause == row.cause)
        #expect(!decision.reason.isEmpty)
        // Whatever the display and the wishes: no HDR variant without a rate, none for a panel in standard range.
        if decision.kind != .media, row.claims.range != .sdr { #expect(row.claims.frameRate != nil && row.display.admitsHDR) }
    }

    @Test(arguments: [
        (profile81, ["dvh1.08.06/db1p"], "PQ"), (profile84, ["dvh1.08.06/db4h"], "HLG"), (av1HDR10, ["dav1.10.06/db1p"], "PQ"), (hdr10, [], "PQ"),
        (profile5, [], "PQ"), (sdr, [], "SDR"),
    ])
    func theMasterSaysWhatIsClaimed(claims: VideoClaims, supplement: [String], range: String) throws {
        func variant(_ claims: VideoClaims) throws -> MultivariantPlaylist.Variant {
            let bytes = PlaylistBuilder.multivariant(
                claims: claims, audio: [], names: [:], defaultAudio: nil, independent: true, peakBitRate: 1, averageBitRate: nil)
            return try #require(try MultivariantPlaylist(parsing: String(decoding: bytes, as: UTF8.self)).variants.first)
        }
        let full = try variant(claims)
        #expect(full.codecs == [claims.codecString])
        #expect(full.supplementalCodecs == supplement)
        #expect(full.videoRange == range)
        #expect(full.frameRate == .init(numerator: 23976, denominator: 1000))
        #expect(full.resolution == .init(width: 3840, height: 2160))
        // Reduced it differs in nothing but the supplement.
        guard let less = claims.reduced else {
            #expect(supplement.isEmpty)
            return
        }
        var expected = full
        expected.supplementalCodecs = []
        #expect(try variant(less) == expected)
    }

    // MARK: Dolby Vision

    enum Film { case hdr10, profile5, contradicted5, profile81, profile84, av1Alone, av1HDR10, av1HLG }

    /// What container and bitstream say of a film, routed as a session with these options routes it.
    private static func claims(_ film: Film, _ options: PrismCoreSession.Options) -> (claims: VideoClaims, route: DolbyVisionRoute?) {
        func evidence(_ codec: TrackCodec, _ profile: UInt8, _ compatibility: UInt8, transfer: Int?, unit: UInt8) -> DolbyVisionEvidence {
            DolbyVisionEvidence(
                codec: codec, record: .init(profile: profile, level: 6, compatibilityID: compatibility), primaries: transfer.map { _ in 9 }, transfer: transfer,
                matrix: transfer.map { _ in 9 }, unit: .init(profile: unit))
        }
        let (found, transfer): (DolbyVisionEvidence?, Int?) =
            switch film {
            case .hdr10: (nil, 16)
            case .profile5: (evidence(.hevc, 5, 0, transfer: nil, unit: 5), nil)
            case .contradicted5: (evidence(.hevc, 5, 0, transfer: 16, unit: 5), 16)
            case .profile81: (evidence(.hevc, 8, 1, transfer: 16, unit: 8), 16)
            case .profile84: (evidence(.hevc, 8, 4, transfer: 18, unit: 8), 18)
            case .av1Alone: (evidence(.av1, 10, 0, transfer: nil, unit: 5), nil)
            case .av1HDR10: (evidence(.av1, 10, 1, transfer: 16, unit: 8), 16)
            case .av1HLG: (evidence(.av1, 10, 4, transfer: 18, unit: 8), 18)
            }
        let track = TrackDescription(
            streamIndex: 0, codec: found?.codec ?? .hevc,
            media: .video(.init(width: 3840, height: 2160, primaries: transfer.map { _ in 9 }, transfer: transfer, matrix: transfer.map { _ in 9 }, frameRate: (24000, 1001))),
            codecString: found?.codec == .av1 ? av1 : hevc, configuration: [])
        let route = found.flatMap { DolbyVisionRoute($0, preferences: DolbyVisionPreferences(options)) }
        return (VideoClaims(track.routed(route)) ?? hdr10, route)
    }

    struct DolbyVision: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let film: Film
        let display: DisplayCapabilities
        var handling = DolbyVisionHandling.automatic
        var forces = false
        let form: DolbyVisionPresentation.Form
        /// CODECS, SUPPLEMENTAL-CODECS and VIDEO-RANGE then.
        let codec: String
        var supplement: [String] = []
        let range: TrackDescription.DynamicRange
    }

    private static let hevc = "hvc1.2.4.L153.B0"
    private static let av1 = "av01.0.13M.10"

    @Test(arguments: [
        DolbyVision(testDescription: "none stays none", film: .hdr10, display: hdr, form: .none, codec: hevc, range: .pq),
        DolbyVision(testDescription: "none, whatever is wanted", film: .hdr10, display: hdr, handling: .baseLayerOnly, forces: true, form: .none, codec: hevc, range: .pq),
        DolbyVision(testDescription: "5 is dvh1 on a Dolby Vision display", film: .profile5, display: dolbyVision, form: .signalled, codec: "dvh1.05.06", range: .pq),
        DolbyVision(testDescription: "5 is dvh1 on an SDR display", film: .profile5, display: standard, form: .signalled, codec: "dvh1.05.06", range: .pq),
        DolbyVision(testDescription: "8.1 keeps its supplement on every display", film: .profile81, display: standard, form: .signalled, codec: hevc, supplement: ["dvh1.08.06/db1p"], range: .pq),
        DolbyVision(testDescription: "8.4 as well", film: .profile84, display: hdr, form: .signalled, codec: hevc, supplement: ["dvh1.08.06/db4h"], range: .hlg),
        DolbyVision(testDescription: "8.1 forced on a display without is dvh1.05", film: .profile81, display: hdr, forces: true, form: .composed, codec: "dvh1.05.06", range: .pq),
        DolbyVision(testDescription: "8.1 forced on a display with stays 8.1", film: .profile81, display: dolbyVision, forces: true, form: .signalled, codec: hevc, supplement: ["dvh1.08.06/db1p"], range: .pq),
        DolbyVision(testDescription: "8.4 is never forced: its base is HLG", film: .profile84, display: hdr, forces: true, form: .signalled, codec: hevc, supplement: ["dvh1.08.06/db4h"], range: .hlg),
        DolbyVision(testDescription: "5 forced is what it is", film: .profile5, display: hdr, forces: true, form: .signalled, codec: "dvh1.05.06", range: .pq),
        DolbyVision(testDescription: "8.1, base layer only", film: .profile81, display: dolbyVision, handling: .baseLayerOnly, form: .baseLayer, codec: hevc, range: .pq),
        DolbyVision(testDescription: "8.4, base layer only", film: .profile84, display: dolbyVision, handling: .baseLayerOnly, form: .baseLayer, codec: hevc, range: .hlg),
        DolbyVision(testDescription: "base layer only wins over force", film: .profile81, display: hdr, handling: .baseLayerOnly, forces: true, form: .baseLayer, codec: hevc, range: .pq),
        DolbyVision(testDescription: "a genuine 5 has no base layer", film: .profile5, display: hdr, handling: .baseLayerOnly, form: .signalled, codec: "dvh1.05.06", range: .pq),
        DolbyVision(testDescription: "a 5 whose picture says BT.2020 PQ has", film: .contradicted5, display: hdr, handling: .baseLayerOnly, form: .baseLayer, codec: hevc, range: .pq),
        DolbyVision(testDescription: "AV1 10.0 is dav1", film: .av1Alone, display: hdr, form: .signalled, codec: "dav1.10.06", range: .pq),
        DolbyVision(testDescription: "AV1 10.0 has no base layer", film: .av1Alone, display: hdr, handling: .baseLayerOnly, form: .signalled, codec: "dav1.10.06", range: .pq),
        DolbyVision(testDescription: "AV1 10.1 on a display that is said to take it", film: .av1HDR10, display: dolbyVision, form: .signalled, codec: av1, supplement: ["dav1.10.06/db1p"], range: .pq),
        DolbyVision(testDescription: "AV1 10.1 on any other", film: .av1HDR10, display: hdr, form: .baseLayer, codec: av1, range: .pq),
        DolbyVision(testDescription: "AV1 10.4 on any other", film: .av1HLG, display: hdr, form: .baseLayer, codec: av1, range: .hlg),
        DolbyVision(testDescription: "AV1 10.4, base layer only", film: .av1HLG, display: dolbyVision, handling: .baseLayerOnly, form: .baseLayer, codec: av1, range: .hlg),
    ])
    func howDolbyVisionIsPresented(_ row: DolbyVision) {
        let options = PrismCoreSession.Options(display: row.display, dolbyVisionHandling: row.handling, forceDolbyVisionOnNonDVDisplay: row.forces)
        let (claims, route) = Self.claims(row.film, options)
        let presentation = DolbyVisionPresentation(route)
        #expect(presentation.form == row.form)
        #expect(!presentation.reason.isEmpty)
        #expect(claims.codecString == row.codec)
        #expect(claims.supplementalCodecs == row.supplement)
        #expect(claims.range == row.range)
        #expect((claims.dolbyVision == nil) == (row.form == .none || row.form == .baseLayer))
    }

    // MARK: Criteria

    struct Criteria: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let claims: VideoClaims
        let display: DisplayCapabilities
        let target: DisplayCriteriaChoice.Target?
        var rate: Double? = 24000.0 / 1001
    }

    @Test(arguments: [
        Criteria(testDescription: "SDR: the rate, so that Match Frame Rate engages", claims: sdr, display: standard, target: .rateOnly),
        Criteria(testDescription: "SDR on an HDR panel: the rate", claims: sdr, display: dolbyVision, target: .rateOnly),
        Criteria(testDescription: "HDR10", claims: hdr10, display: hdr, target: .hdr10),
        Criteria(testDescription: "HLG", claims: hlg, display: hdr, target: .hlg),
        Criteria(testDescription: "HDR10 on an SDR panel: the rate", claims: hdr10, display: standard, target: .rateOnly),
        Criteria(testDescription: "8.1 on an SDR panel: the rate", claims: profile81, display: standard, target: .rateOnly),
        Criteria(testDescription: "HDR10 on a panel that shows standard range now and switches", claims: hdr10, display: switching, target: .hdr10),
        Criteria(testDescription: "8.1 on a Dolby Vision panel", claims: profile81, display: dolbyVision, target: .dolbyVision),
        Criteria(testDescription: "8.1 on an HDR panel: its base layer", claims: profile81, display: hdr, target: .hdr10),
        Criteria(testDescription: "8.4 on an HDR panel: its base layer", claims: profile84, display: hdr, target: .hlg),
        Criteria(testDescription: "5 on a Dolby Vision panel", claims: profile5, display: dolbyVision, target: .dolbyVision),
        Criteria(testDescription: "5 on an HDR panel: the range it claims", claims: profile5, display: hdr, target: .hdr10),
        Criteria(testDescription: "HDR10 of unknown rate: the range alone", claims: withoutRate(hdr10), display: hdr, target: .hdr10, rate: nil),
        Criteria(testDescription: "SDR of unknown rate: nothing to ask", claims: withoutRate(sdr), display: hdr, target: nil, rate: nil),
        Criteria(testDescription: "HDR of unknown rate on an SDR panel: nothing to ask", claims: withoutRate(hdr10), display: standard, target: nil, rate: nil),
    ])
    func whatTheDisplayIsAskedFor(_ row: Criteria) {
        let choice = DisplayCriteriaChoice(claims: row.claims, display: row.display)
        #expect(choice?.target == row.target)
        #expect(choice?.refreshRate == row.rate)
    }

    private static func report(_ options: PrismCoreSession.Options, _ origin: PrismCoreSession.Origin) -> DisplayReport {
        let (claims, route) = claims(.profile81, options)
        return DisplayReport(claims: claims, dolbyVision: route, options: options, origin: origin)
    }

    @Test func theReportHoldsAllOfItAndTheBaseLayerAloneAsksForNoDolbyVision() throws {
        var options = PrismCoreSession.Options(display: Self.dolbyVision)
        let full = Self.report(options, .host)
        #expect(full.criteria?.target == .dolbyVision)
        #expect(full.supplementalCodecs == ["dvh1.08.06/db1p"])
        options.dolbyVisionHandling = .baseLayerOnly
        let base = Self.report(options, .changedOptions)
        #expect(base.criteria?.target == .hdr10)
        #expect(base.supplementalCodecs.isEmpty && base.codec == Self.hevc && base.videoRange == "PQ")
        #expect(base.dolbyVision.form == .baseLayer && base.playlist.kind == .multivariant)
        options = PrismCoreSession.Options(display: Self.dolbyVision, reducesMaster: true)
        let reduced = Self.report(options, .reducedMasterFallback)
        #expect(reduced.criteria?.target == .hdr10)
        #expect(reduced.playlist.kind == .reducedMultivariant && reduced.supplementalCodecs.isEmpty)
        // Forced, it is what profile 5 is: nothing that a display without Dolby Vision takes in a master.
        options = PrismCoreSession.Options(display: Self.hdr, forceDolbyVisionOnNonDVDisplay: true)
        let composed = Self.report(options, .host)
        #expect(composed.dolbyVision.form == .composed && composed.codec == "dvh1.05.06")
        #expect(composed.playlist.kind == .media && composed.playlist.cause == .displayWithoutDolbyVision)
        for report in [full, base, reduced, composed] {
            #expect(try JSONDecoder().decode(DisplayReport.self, from: JSONEncoder().encode(report)) == report)
        }
    }

    // MARK: Rejection

    @Test(arguments: [
        ("AVFoundationErrorDomain", -11868, true), ("AVFoundationErrorDomain", -11848, true), ("NSURLErrorDomain", -1002, true),
        ("CoreMediaErrorDomain", -1002, true), ("CoreMediaErrorDomain", -11848, true),
        // Any other failure is none of the playlist's, and a code means something else in another domain.
        ("AVFoundationErrorDomain", -11800, false), ("AVFoundationErrorDomain", -1002, false), ("NSURLErrorDomain", -1009, false),
        ("NSURLErrorDomain", -11868, false), ("CoreMediaErrorDomain", -12889, false), ("CoreMediaErrorDomain", -15628, false), ("Somewhere", -11868, false),
    ])
    func whichFailuresAreTheMastersRejection(domain: String, code: Int, isOne: Bool) {
        let error = NSError(domain: domain, code: code)
        #expect(PrismCoreSession.isMasterRejection(error) == isOne)
        let wrapped = NSError(domain: "AVFoundationErrorDomain", code: -11800, userInfo: [NSUnderlyingErrorKey: error])
        #expect(PrismCoreSession.isMasterRejection(wrapped) == isOne, "what it stands under counts")
        #expect((PrismCoreError.classify(wrapped) == .masterRejectedByPlayer(code: code)) == isOne)
        if isOne { #expect(MasterRejection.codes.contains(code)) }
    }

    @Test func errorsOfOtherKindsAreNoRejection() {
        #expect(!PrismCoreSession.isMasterRejection(PrismCoreError.cancelled))
        #expect(!PrismCoreSession.isMasterRejection(CancellationError()))
        #expect(PrismCoreError.masterRejectedByPlayer(code: -11848).retryability == .permanent)
        var deep = NSError(domain: "NSURLErrorDomain", code: -1002)
        for _ in 0..<50 { deep = NSError(domain: "Somewhere", code: 1, userInfo: [NSUnderlyingErrorKey: deep]) }
        #expect(!PrismCoreSession.isMasterRejection(deep))
    }
}
