internal import Benchmarking
internal import Foundation
internal import PrismCore

/// Plays sources through many sessions of one process and says what is left of them: one JSON object on standard output.
///
///     session-churn ROW AT_ONCE SOURCE...
///
/// ROW sessions one after the other, then AT_ONCE side by side, every second of which is stopped half way. Run as a process of its own, since
/// threads, descriptors and memory can only be counted where nobody else makes any.
@main
enum SessionChurn {
    struct Census: Codable {
        var threads: Int
        var descriptors: Int
        var residentKilobytes: Int
        var files: Int

        static func take() -> Census {
            func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return Census(
                threads: count("/proc/self/task"), descriptors: count("/proc/self/fd"), residentKilobytes: resident, files: count(NSTemporaryDirectory()))
        }
    }

    struct Report: Codable {
        var first: Census
        var afterRow: Census
        var last: Census
        /// A digest of everything served of each source: alone first, then in the row and side by side.
        var alone: [String]
        var different: [String]
    }

    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments
        guard words.count > 3, let row = Int(words[1]), let atOnce = Int(words[2]) else {
            FileHandle.standardError.write(Data("usage: session-churn ROW AT_ONCE SOURCE...\n".utf8))
            exit(2)
        }
        let sources = words[3...].map { URL(fileURLWithPath: $0) }
        var report = Report(first: .take(), afterRow: .take(), last: .take(), alone: [], different: [])
        for source in sources { report.alone.append(try await play(source)) }
        // What one session of each kind leaves is libraries' own: loaded code, pools, caches. What is counted is what more of them add.
        report.first = await settled()
        for number in 0..<row {
            let which = number % sources.count
            if try await play(sources[which]) != report.alone[which] { report.different.append("session \(number) of the row") }
        }
        report.afterRow = await settled(like: report.first)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<atOnce {
                let which = number % sources.count
                let (source, alone) = (sources[which], report.alone[which])
                group.addTask {
                    if number % 2 == 1 {
                        try await abandon(source)
                        return nil
                    }
                    return try await play(source) == alone ? nil : "session \(number) of those side by side"
                }
            }
            for try await different in group { if let different { report.different.append(different) } }
        }
        report.last = await settled(like: report.first)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }

    /// A census once threads that are ending have ended, within a bound.
    private static func settled(like earlier: Census? = nil) async -> Census {
        var census = Census.take()
        for _ in 0..<50 {
            try? await Task.sleep(for: .milliseconds(20))
            let next = Census.take()
            if let earlier, next.threads > earlier.threads || next.descriptors > earlier.descriptors {
                census = next
                continue
            }
            if next.threads == census.threads, next.descriptors == census.descriptors { return next }
            census = next
        }
        return census
    }

    private static func play(_ source: URL) async throws -> String {
        let session = PrismCoreSession(url: source)
        let digest = try await PlayedPresentation.digest(of: try await session.start())
        await session.stop()
        return digest
    }

    /// A viewer who leaves as soon as the picture is there.
    private static func abandon(_ source: URL) async throws {
        let session = PrismCoreSession(url: source)
        _ = try await session.start()
        await session.stop()
    }
}
