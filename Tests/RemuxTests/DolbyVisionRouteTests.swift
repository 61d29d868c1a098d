import DolbyVision
@testable import Remux
import Testing

@Suite struct DolbyVisionRouteTests {
    typealias Record = DolbyVisionConfigurationRecord
    typealias Unit = DolbyVisionEvidence.Unit

    /// One source and what it must be served as.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let evidence: DolbyVisionEvidence
        var preferences = DolbyVisionPreferences()
        /// Sample entry, CODECS where it is Dolby Vision's, SUPPLEMENTAL-CODECS, VIDEO-RANGE.
        let entry: String
        var codecs: String?
        var supplemental: String?
        let range: String
        /// Profile, compatibility and box of the record.
        var record: String?
        var converts = false
        var finding: DolbyVisionFinding?
        var testDescription: String { name }
    }

    static func pq(_ record: Record?, unit: Unit? = nil, codec: TrackCodec = .hevc) -> DolbyVisionEvidence {
        DolbyVisionEvidence(codec: codec, record: record, primaries: 9, transfer: 16, matrix: 9, unit: unit)
    }

    static func hlg(_ record: Record?, unit: Unit? = nil, codec: TrackCodec = .hevc) -> DolbyVisionEvidence {
        DolbyVisionEvidence(codec: codec, record: record, primaries: 9, transfer: 18, matrix: 9, unit: unit)
    }

    static func bare(_ record: Record?, unit: Unit? = nil, codec: TrackCodec = .hevc) -> DolbyVisionEvidence {
        DolbyVisionEvidence(codec: codec, record: record, unit: unit)
    }

    static func record(_ profile: UInt8, _ compatibility: UInt8) -> Record { Record(profile: profile, level: 6, compatibilityID: compatibility) }

    private static let baseOnly = DolbyVisionPreferences(handling: .baseLayerOnly)
    private static let unit5 = Unit(profile: 5)
    private static let unit7 = Unit(profile: 7, enhancementLayer: .full)
    private static let unit8 = Unit(profile: 8)

    static let rows = [
        Row(name: "5", evidence: bare(record(5, 0), unit: unit5), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC"),
        Row(name: "8.1", evidence: pq(record(8, 1), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC"),
        Row(name: "8.4", evidence: hlg(record(8, 4), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db4h", range: "HLG", record: "8.4 dvvC"),
        Row(
            name: "8.2 is its Rec. 709 base", evidence: DolbyVisionEvidence(codec: .hevc, record: record(8, 2), primaries: 1, transfer: 1, matrix: 1, unit: unit8),
            entry: "hvc1", range: "SDR", finding: .notRoutable(profile: 8, compatibilityID: 2)),
        Row(
            name: "8.6 is 8.1", evidence: pq(record(8, 6), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC",
            finding: .compatibilityNormalised(recorded: 6, served: 1)),
        Row(
            name: "8.1 whose unit reads 7", evidence: pq(record(8, 1), unit: unit7), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC",
            converts: true, finding: .recordContradicted(recorded: 8, unit: 7)),
        Row(name: "8.3 is nobody's", evidence: pq(record(8, 3), unit: unit8), entry: "hvc1", range: "PQ", finding: .notRoutable(profile: 8, compatibilityID: 3)),
        Row(
            name: "8.1 over HLG pictures", evidence: hlg(record(8, 1), unit: unit8), entry: "hvc1", range: "HLG",
            finding: .compatibilityContradicted(recorded: 1, transfer: 18)),
        Row(name: "8.1 that lost its units", evidence: pq(record(8, 1)), entry: "hvc1", range: "PQ", finding: .noUnits(profile: 8)),
        Row(name: "8.1, colour unspecified", evidence: bare(record(8, 1), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC"),
        Row(
            name: "8.4 marked BT.2020", evidence: DolbyVisionEvidence(codec: .hevc, record: record(8, 4), primaries: 9, transfer: 14, matrix: 9, unit: unit8),
            entry: "hvc1", supplemental: "dvh1.08.06/db4h", range: "HLG", record: "8.4 dvvC"),
        Row(
            name: "7", evidence: pq(record(7, 6), unit: unit7), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC", converts: true),
        Row(name: "7 that lost its units", evidence: pq(record(7, 6)), entry: "hvc1", range: "PQ", finding: .noUnits(profile: 7)),
        Row(
            name: "4 is its base", evidence: DolbyVisionEvidence(codec: .hevc, record: record(4, 2), primaries: 1, transfer: 1, matrix: 1, unit: Unit(profile: 4)),
            entry: "hvc1", range: "SDR", finding: .notRoutable(profile: 4, compatibilityID: 2)),
        Row(
            name: "9 is its base", evidence: DolbyVisionEvidence(codec: .avc, record: record(9, 2), primaries: 1, transfer: 1, matrix: 1, bitDepth: 8),
            entry: "avc1", range: "SDR", finding: .notRoutable(profile: 9, compatibilityID: 2)),
        Row(name: "10.0", evidence: bare(record(10, 0), unit: unit5, codec: .av1), entry: "dav1", codecs: "dav1.10.06", range: "PQ", record: "10.0 dvvC"),
        Row(name: "10.1", evidence: pq(record(10, 1), unit: unit8, codec: .av1), entry: "av01", supplemental: "dav1.10.06/db1p", range: "PQ", record: "10.1 dvvC"),
        Row(name: "10.4", evidence: hlg(record(10, 4), unit: unit8, codec: .av1), entry: "av01", supplemental: "dav1.10.06/db4h", range: "HLG", record: "10.4 dvvC"),
        Row(
            name: "10.2 is its base", evidence: DolbyVisionEvidence(codec: .av1, record: record(10, 2), primaries: 1, transfer: 1, matrix: 1, unit: unit8),
            entry: "av01", range: "SDR", finding: .notRoutable(profile: 10, compatibilityID: 2)),

        Row(
            name: "5 whose unit reads 7", evidence: pq(record(5, 0), unit: unit7), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC",
            converts: true, finding: .recordContradicted(recorded: 5, unit: 7)),
        Row(
            name: "5 whose unit reads 8", evidence: pq(record(5, 0), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC",
            finding: .recordContradicted(recorded: 5, unit: 8)),
        Row(
            name: "5 over HLG whose unit reads 8", evidence: hlg(record(5, 0), unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db4h", range: "HLG",
            record: "8.4 dvvC", finding: .recordContradicted(recorded: 5, unit: 8)),
        Row(name: "5 over BT.2020 whose unit agrees", evidence: pq(record(5, 0), unit: unit5), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC"),
        Row(
            name: "5 over BT.2020 without a unit", evidence: pq(record(5, 0)), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC",
            finding: .recordDoubtful(profile: 5)),
        Row(name: "5 without a unit", evidence: bare(record(5, 0)), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC"),
        Row(name: "5, only its unit says 8", evidence: bare(record(5, 0), unit: unit8), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC"),

        Row(
            name: "5 nobody recorded", evidence: bare(nil, unit: unit5), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC",
            finding: .recordMissing(profile: 5)),
        Row(
            name: "7 nobody recorded", evidence: pq(nil, unit: unit7), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC", converts: true,
            finding: .recordMissing(profile: 7)),
        Row(
            name: "8.1 nobody recorded", evidence: pq(nil, unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db1p", range: "PQ", record: "8.1 dvvC",
            finding: .recordMissing(profile: 8)),
        Row(
            name: "8.4 nobody recorded", evidence: hlg(nil, unit: unit8), entry: "hvc1", supplemental: "dvh1.08.06/db4h", range: "HLG", record: "8.4 dvvC",
            finding: .recordMissing(profile: 8)),
        Row(
            name: "10.1 nobody recorded", evidence: pq(nil, unit: unit8, codec: .av1), entry: "av01", supplemental: "dav1.10.06/db1p", range: "PQ",
            record: "10.1 dvvC", finding: .recordMissing(profile: 10)),

        Row(name: "base layer of 8.1", evidence: pq(record(8, 1), unit: unit8), preferences: baseOnly, entry: "hvc1", range: "PQ", finding: .baseLayerOnly),
        Row(name: "base layer of 8.4", evidence: hlg(record(8, 4), unit: unit8), preferences: baseOnly, entry: "hvc1", range: "HLG", finding: .baseLayerOnly),
        Row(name: "base layer of 7", evidence: pq(record(7, 6), unit: unit7), preferences: baseOnly, entry: "hvc1", range: "PQ", finding: .baseLayerOnly),
        Row(name: "base layer of 10.1", evidence: pq(record(10, 1), unit: unit8, codec: .av1), preferences: baseOnly, entry: "av01", range: "PQ", finding: .baseLayerOnly),
        Row(
            name: "base layer of a 5 that names one, before any correction", evidence: pq(record(5, 0), unit: unit7), preferences: baseOnly, entry: "hvc1", range: "PQ",
            finding: .baseLayerOnly),
        Row(
            name: "base layer of a genuine 5", evidence: bare(record(5, 0), unit: unit5), preferences: baseOnly, entry: "dvh1", codecs: "dvh1.05.06", range: "PQ",
            record: "5.0 dvcC", finding: .noBaseLayer(profile: 5)),
        Row(
            name: "base layer of a genuine 10.0", evidence: bare(record(10, 0), unit: unit5, codec: .av1), preferences: baseOnly, entry: "dav1", codecs: "dav1.10.06",
            range: "PQ", record: "10.0 dvvC", finding: .noBaseLayer(profile: 10)),

        Row(
            name: "8.1 claimed as 5", evidence: pq(record(8, 1), unit: unit8), preferences: .init(claimsProfile5: true), entry: "dvh1", codecs: "dvh1.05.06", range: "PQ",
            record: "5.0 dvcC", finding: .claimedAsProfile5),
        Row(
            name: "7 converted and claimed as 5", evidence: pq(record(7, 6), unit: unit7), preferences: .init(claimsProfile5: true), entry: "dvh1",
            codecs: "dvh1.05.06", range: "PQ", record: "5.0 dvcC", converts: true, finding: .claimedAsProfile5),
        Row(
            name: "8.4 is never claimed as 5", evidence: hlg(record(8, 4), unit: unit8), preferences: .init(claimsProfile5: true), entry: "hvc1",
            supplemental: "dvh1.08.06/db4h", range: "HLG", record: "8.4 dvvC"),
    ]

    @Test(arguments: rows) func aSourceIsServedAsItsProfileAsks(_ row: Row) throws {
        let evidence = row.evidence
        let source = TrackDescription(
            streamIndex: 0, codec: evidence.codec,
            media: .video(.init(width: 3840, height: 2160, bitDepth: 10, primaries: evidence.primaries, transfer: evidence.transfer, matrix: evidence.matrix)),
            codecString: "base", configuration: [])
        let route = try #require(DolbyVisionRoute(evidence, preferences: row.preferences))
        let track = source.routed(route)
        #expect(track.sampleEntryFormat == row.entry)
        #expect(track.codecString == row.codecs ?? "base")
        #expect(track.supplementalCodecs == (row.supplemental.map { [$0] } ?? []))
        #expect(track.video?.dynamicRange.rawValue == row.range)
        #expect(route.record.map { "\($0.profile).\($0.compatibilityID) \($0.boxType)" } == row.record)
        #expect(route.record?.hasEnhancementLayer != true)
        #expect(route.convertsProfile7 == row.converts)
        if let finding = row.finding { #expect(route.findings.contains(finding)) }
    }

    @Test func aTrackWithoutAnyHasNoRoute() {
        #expect(DolbyVisionRoute(Self.pq(nil)) == nil)
        #expect(DolbyVisionRoute(Self.bare(nil, unit: Unit(profile: nil))) == nil)
        // What reads 5 over pictures that say they are something else is not believed.
        #expect(DolbyVisionRoute(Self.pq(nil, unit: Self.unit5)) == nil)
    }

    /// Its record speaks of the layer it stands beside, and is the only one there is.
    @Test func theRecordOfASecondLayersStreamIsTheFilms() throws {
        let record = Record(profile: 7, level: 3, compatibilityID: 6, hasEnhancementLayer: true, hasBaseLayer: false)
        let evidence = DolbyVisionEvidence(
            codec: .hevc, record: record, primaries: 9, transfer: 16, matrix: 9, unit: Self.unit7, companionStream: 1)
        let route = try #require(DolbyVisionRoute(evidence))
        #expect(route.record == Record(profile: 8, level: 3, compatibilityID: 1))
        #expect(!route.findings.contains(.recordMissing(profile: 7)))
    }

    @Test func whatIsLeftOutOfTwoLayersIsSaid() throws {
        var evidence = Self.pq(Self.record(7, 6), unit: Self.unit7)
        evidence.hasEnhancementUnits = true
        #expect(try #require(DolbyVisionRoute(evidence)).findings.contains(.enhancementLayerLeftOut(isFull: true)))
        evidence.unit = Unit(profile: 7, enhancementLayer: .minimal)
        #expect(try #require(DolbyVisionRoute(evidence)).findings.contains(.enhancementLayerLeftOut(isFull: false)))
        // Nobody decodes it, so it goes even where nothing is converted.
        #expect(try #require(DolbyVisionRoute(evidence, preferences: Self.baseOnly)).dropsEnhancementLayer)
    }
}
