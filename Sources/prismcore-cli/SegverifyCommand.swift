import Foundation
import PrismCore
import SegmentVerification

/// `segverify`: every served segment, held against what the playlist promises, and a sample of them produced a second time.
struct SegverifyCommand {
    /// Segments of each rendition that a second production is compared on.
    private static let comparisons = 12

    private let url: URL
    private let headers: [String: String]
    private let asJSON: Bool

    init(_ arguments: ArgumentParser) throws(UsageError) {
        url = try arguments.sourceURL()
        headers = arguments.headers
        asJSON = arguments.has("--json")
    }

    func run() async throws -> Int32 {
        let first = PrismCoreSession(url: url, httpHeaders: headers)
        let playlist = try await first.start()
        let report: SegmentVerifier.Report
        do {
            report = try await verify(playlist, session: first)
        } catch {
            await first.stop()
            throw error
        }
        await first.stop()
        Terminal.endProgress()
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            Terminal.line(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            for finding in report.findings {
                Terminal.line("\(finding.rendition)\(finding.segment.map { " segment \($0)" } ?? ""): \(finding.problem)")
            }
            Terminal.line(
                "\(report.segments) segments, \(report.bytes) bytes, \(report.samples) samples, \(report.decodedFrames) frames decoded, "
                    + "\(report.comparedAgain) produced again: \(report.findings.isEmpty ? "all hold" : "\(report.findings.count) findings")")
        }
        return report.findings.isEmpty ? 0 : 1
    }

    private func verify(_ playlist: URL, session: PrismCoreSession) async throws -> SegmentVerifier.Report {
        let client = HTTPClient()
        let verifier = SegmentVerifier(client: client)
        let presentation = try await ServedPresentation(url: playlist, client: client)
        var report = try await verifier.verify(presentation) { done, total in Terminal.progress("segment \(done) of \(total)") }
        // A sequential session cannot be asked for another order.
        guard case .builtFromSource = await session.planOrigin else { return report }
        let second = PrismCoreSession(url: url, httpHeaders: headers)
        do {
            let again = try await ServedPresentation(url: try await second.start(), client: client)
            try await verifier.compare(presentation, with: again, count: Self.comparisons, into: &report)
        } catch {
            await second.stop()
            throw error
        }
        await second.stop()
        return report
    }
}
