package import Foundation
internal import HLS
internal import Libav
internal import PrismCore

/// One source, measured as a player meets it: start, seek, play to the end. Each part has a session of its own, so that none finds what
/// another produced.
package struct SourceBenchmark: Sendable {
    package enum Failure: Error, CustomStringConvertible {
        case playlist(String)

        package var description: String {
            switch self {
            case .playlist(let what): what
            }
        }
    }

    /// Segments sought to.
    package static let seekCount = 20

    private let url: URL
    private let headers: [String: String]

    package init(url: URL, httpHeaders: [String: String] = [:]) {
        self.url = url
        headers = httpHeaders
    }

    package func run(_ progress: @Sendable (String) -> Void = { _ in }) async throws -> BenchmarkReport {
        progress("start and drain")
        let drained = try await measure { client, presentation in try presentation.drain(client) }
        progress("seeks")
        // A source without a plan is opened once only: a pipe's bytes do not come again.
        let sought = drained.isPlanned ? try await measure { client, presentation in try presentation.seek(client) } : nil
        let isHTTP = ["http", "https"].contains(url.scheme?.lowercased() ?? "")
        let drain = drained.result
        return BenchmarkReport(
            source: url.isFileURL ? url.lastPathComponent : (url.host() ?? "") + url.path(percentEncoded: false),
            plan: drained.plan, checkpoints: drained.checkpoints, firstSegment: drained.firstSegment,
            seeks: BenchmarkReport.Spread(sought?.result ?? []), drain: drain, peakResidentBytes: ResourceUsage.peakResidentBytes,
            origin: .init(
                start: drained.startBytes, seeks: sought?.bytes ?? 0, drain: drained.bytes + drained.startBytes,
                startRequests: isHTTP ? drained.startRequests : nil, seekRequests: isHTTP ? sought?.requests : nil,
                drainRequests: isHTTP ? drained.requests + drained.startRequests : nil))
    }

    private struct Measured<Result: Sendable>: Sendable {
        let result: Result
        let isPlanned: Bool
        let plan: String
        let checkpoints: [BenchmarkReport.Checkpoint]
        let firstSegment: Double
        let startBytes: Int64
        let startRequests: Int
        let bytes: Int64
        let requests: Int
    }

    /// Starts a session, fetches its first segment as a player would, and then does `body` on the fetching thread.
    private func measure<Result: Sendable>(
        _ body: @escaping @Sendable (FetchClient, ListedPresentation) throws -> Result
    ) async throws -> Measured<Result> {
        let session = PrismCoreSession(url: url, httpHeaders: headers)
        let requestsBefore = LibavLog.httpRequestCount
        let began = ContinuousClock.now
        let playlist = try await session.start()
        do {
            let (presentation, firstSegment) = try await Self.onThread {
                let client = try FetchClient(playlist)
                let presentation = try ListedPresentation(playlist, client)
                return (presentation, try presentation.fetchFirst(client, since: began))
            }
            let startBytes = await session.sourceBytesRead
            let startRequests = LibavLog.httpRequestCount - requestsBefore
            let result = try await Self.onThread { try body(try FetchClient(playlist), presentation) }
            let measured = Measured(
                result: result, isPlanned: presentation.isPlanned, plan: Self.describe(await session.planOrigin), checkpoints: Self.describe(await session.checkpoints), firstSegment: firstSegment,
                startBytes: startBytes, startRequests: startRequests, bytes: await session.sourceBytesRead - startBytes,
                requests: LibavLog.httpRequestCount - requestsBefore - startRequests)
            await session.stop()
            return measured
        } catch {
            await session.stop()
            throw error
        }
    }

    /// Blocking work on a thread of its own.
    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
            thread.name = "prism.bench"
            thread.start()
        }
    }

    private static func describe(_ origin: PlanOrigin?) -> String {
        switch origin {
        case .sequential(let reason): "sequential: \(reason)"
        case nil: "unknown"
        default: "complete before the first packet"
        }
    }

    private static func describe(_ checkpoints: [StartupCheckpoint]) -> [BenchmarkReport.Checkpoint] {
        checkpoints.map { checkpoint in
            let name =
                switch checkpoint.phase {
                case .sourceOpened: "opened"
                case .streamInfoResolved: "described"
                case .segmentPlanReady(_, let segments): segments > 0 ? "planned (\(segments) segments)" : "no plan"
                case .firstVideoSegmentWritten: "first segment"
                case .playlistServable: "servable"
                }
            return .init(name: name, milliseconds: checkpoint.elapsed.milliseconds)
        }
    }
}

extension Duration {
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
