@testable import Benchmarking
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite struct BenchmarkTests {
    private func fixture(_ name: String, _ codecs: String = "-c:v libx264 -g 24 -c:a aac") async throws -> (FFmpegFixture, URL) {
        let fixture = try FFmpegFixture()
        return (fixture, try await fixture.make(name, FFmpegFixture.inputs(seconds: 40) + " " + codecs))
    }

    @Test func aPlannedSourceIsMeasuredWhole() async throws {
        let (fixture, file) = try await fixture("film.mkv")
        defer { withExtendedLifetime(fixture) {} }
        let report = try await SourceBenchmark(url: file).run()
        #expect(report.drain.segments > 4)
        #expect(abs(report.drain.mediaSeconds - 40) < 0.5)
        #expect(report.seeks != nil)
        #expect(report.checkpoints.map(\.name).first == "opened" && report.checkpoints.last?.name == "servable")
        let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
        #expect(abs(report.drain.bytes - size) < size / 5, "what is served is what the file holds, less its container")
        #expect(report.origin.start > 0 && report.origin.drain >= report.origin.start)
        #expect(report.origin.startRequests == nil, "a file is asked for nothing over HTTP")
        #expect(report.peakResidentBytes > 1 << 20)
        #expect(try JSONDecoder().decode(BenchmarkReport.self, from: JSONEncoder().encode(report)) == report)
    }

    @Test func aSourceWithoutAPlanIsFollowedToItsEnd() async throws {
        let (fixture, file) = try await fixture("live.ts")
        defer { withExtendedLifetime(fixture) {} }
        // A pipe cannot seek, whatever is in it.
        let pipe = fixture.url("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        // Another process: a reader that gives up ends it by a signal.
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", "exec cat \"$0\" > \"$1\"", file.path, pipe.path]
        try writer.run()
        defer { writer.terminate() }
        let report = try await SourceBenchmark(url: pipe).run()
        #expect(report.plan.hasPrefix("sequential"))
        #expect(report.seeks == nil)
        #expect(abs(report.drain.mediaSeconds - 40) < 1)
    }

    /// libavformat says what it sends in its log only, and by that it is counted: a version that says it otherwise must show here.
    @Test func requestsToTheOriginAreCounted() async throws {
        let (fixture, file) = try await fixture("film.mkv")
        defer { withExtendedLifetime(fixture) {} }
        let origin = LoopbackHTTPServer(provider: OneFile(bytes: [UInt8](try Data(contentsOf: file))))
        try origin.start()
        defer { origin.stop() }
        let report = try await SourceBenchmark(url: try #require(URL(string: origin.baseURL + "film.mkv"))).run()
        #expect(try #require(report.origin.startRequests) > 0)
        #expect(try #require(report.origin.drainRequests) >= (report.origin.startRequests ?? 0))
        #expect(!report.source.contains("?"))
    }

    private struct OneFile: ResourceProvider {
        let bytes: [UInt8]

        func resource(named name: String) -> ResourceAnswer {
            name == "film.mkv" ? .ready(Resource(contentType: "video/x-matroska", body: ResourceBody(bytes), isImmutable: true)) : .notFound
        }
    }

    @Test(arguments: [(0.0, "0.0"), (0.1234, "0.123"), (1.235, "1.24"), (12.34, "12.3"), (1234.5, "1235"), (.infinity, "?")])
    func numbersShowThreeDigits(value: Double, text: String) { #expect(BenchmarkReport.number(value) == text) }

    @Test func aSpreadIsOfWhatItWasGiven() throws {
        #expect(BenchmarkReport.Spread([]) == nil)
        let spread = try #require(BenchmarkReport.Spread([4, 1, 3, 2]))
        #expect(spread.median == 2.5 && spread.longest == 4 && spread.count == 4)
    }
}
