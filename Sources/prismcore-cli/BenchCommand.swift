import Benchmarking
import Foundation

/// `bench`: how fast one source starts, seeks and plays, and what that costs.
struct BenchCommand {
    private let url: URL
    private let headers: [String: String]
    private let asJSON: Bool

    init(_ arguments: ArgumentParser) throws(UsageError) {
        url = try arguments.sourceURL()
        headers = arguments.headers
        asJSON = arguments.has("--json")
    }

    func run() async throws -> Int32 {
        let report = try await SourceBenchmark(url: url, httpHeaders: headers).run { Terminal.progress("measuring: \($0)") }
        Terminal.endProgress()
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            Terminal.line(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            for line in report.lines { Terminal.line(line) }
        }
        return 0
    }
}
