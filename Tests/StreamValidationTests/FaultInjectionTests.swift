import Foundation
import StreamValidation
import Testing

@Suite struct FaultInjectionTests {
    private func rules(_ presentation: ReferencePresentation, _ name: String = "master.m3u8") async throws -> [Finding] {
        let url = try #require(URL(string: ReferencePresentation.base + name))
        return try await StreamValidator(fetcher: MemoryFetcher(presentation: presentation), pause: { _ in }).validate(url).findings
    }

    @Test func aPresentationThatKeepsTheRulesHasNoFindings() async throws {
        let url = try #require(URL(string: ReferencePresentation.base + "master.m3u8"))
        let report = try await StreamValidator(fetcher: MemoryFetcher(presentation: ReferencePresentation())).validate(url)
        #expect(report.findings == [])
        #expect(report.playlists == 7)
        #expect(report.segments == 30)
        #expect(report.isValid)
    }

    @Test func aMediaPlaylistIsValidatedByItself() async throws {
        #expect(try await rules(ReferencePresentation(), "hi/index.m3u8").map(\.rule) == [])
        #expect(try await rules(ReferencePresentation(), "text/en/index.m3u8").map(\.rule) == [])
    }

    @Test(arguments: Fault.ofPlaylists + Fault.ofInitialization + Fault.ofSegments + Fault.ofText)
    func eachFaultIsFoundAndNothingElse(_ fault: Fault) async throws {
        var presentation = ReferencePresentation()
        fault.make(&presentation)
        #expect(presentation.mistakes == [])
        let findings = try await rules(presentation)
        let found = Set(findings.map(\.rule))
        #expect(found.contains(fault.rule), "found \(findings.map { "\($0.rule): \($0.problem)" })")
        let stray = findings.filter { $0.rule != fault.rule && !fault.also.contains($0.rule) }
        #expect(stray.isEmpty, "also found \(stray.map { "\($0.part) \($0.rule): \($0.problem)" })")
        for finding in findings {
            #expect(!finding.clause.isEmpty && !finding.remedy.isEmpty && !finding.place.resource.isEmpty && !finding.part.isEmpty)
        }
    }

    @Test func aMissingPlaylistIsNoReport() async {
        await #expect(throws: FetchFailure.self) { try await rules(ReferencePresentation(), "none.m3u8") }
    }

    @Test func theSameFaultInEverySegmentIsCounted() async throws {
        var presentation = ReferencePresentation()
        for index in 0..<ReferencePresentation.segmentCount { presentation.hide("hi/seg\(index).m4s", "tfdt") }
        let url = try #require(URL(string: ReferencePresentation.base + "master.m3u8"))
        let report = try await StreamValidator(fetcher: MemoryFetcher(presentation: presentation)).validate(url)
        #expect(report.count(.must) == 4)
        #expect(report.omitted == 1)
        #expect(!report.isValid)
        #expect(report.table().contains("segment.tfdt"))
        #expect(try JSONDecoder().decode(ValidationReport.self, from: JSONEncoder().encode(report)) == report)
    }
}
