/// What a run of the benchmark measured. Times in milliseconds, sizes in bytes.
package struct BenchmarkReport: Codable, Sendable, Equatable {
    /// Milliseconds of several runs of one thing.
    package struct Spread: Codable, Sendable, Equatable {
        package let count: Int
        package let median: Double
        package let p95: Double
        package let longest: Double

        /// `nil` of nothing.
        package init?(_ values: [Double]) {
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            count = sorted.count
            let middle = sorted.count / 2
            median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
            p95 = sorted[Int((0.95 * Double(sorted.count - 1)).rounded())]
            longest = sorted[sorted.count - 1]
        }
    }

    package struct Checkpoint: Codable, Sendable, Equatable {
        package let name: String
        package let milliseconds: Double
    }

    package struct Drain: Codable, Sendable, Equatable {
        package let segments: Int
        package let bytes: Int
        package let mediaSeconds: Double
        package let milliseconds: Double
        /// Of the whole process without the fetching thread.
        package let cpuMilliseconds: Double
        package let cpuSecondsPerGigabyte: Double
        package let segment: Spread?
    }

    package struct Origin: Codable, Sendable, Equatable {
        /// Read from the source until the first segment was delivered, by the seeks, and by the drain.
        package var start: Int64
        package var seeks: Int64
        package var drain: Int64
        /// HTTP requests sent to the source by the same; `nil` for a source that is not read over HTTP.
        package var startRequests: Int?
        package var seekRequests: Int?
        package var drainRequests: Int?
    }

    package let source: String
    package let plan: String
    package let checkpoints: [Checkpoint]
    /// From the call of `start()` to the last byte of the first video segment.
    package let firstSegment: Double
    /// Video and default audio of segments nobody asked for before; `nil` without a plan.
    package let seeks: Spread?
    package let drain: Drain
    package let peakResidentBytes: Int
    package let origin: Origin

    /// The report for people.
    package var lines: [String] {
        var lines = [
            "startup     " + checkpoints.map { "\($0.name) \(Self.number($0.milliseconds)) ms" }.joined(separator: " · "),
            "plan        \(plan)",
            "first       segment delivered \(Self.number(firstSegment)) ms after the call",
        ]
        if let seeks {
            lines.append(
                "seeks       \(seeks.count) at random: median \(Self.number(seeks.median)) ms, 95 % within \(Self.number(seeks.p95)) ms, longest \(Self.number(seeks.longest)) ms")
        } else {
            lines.append("seeks       none: there is no plan to seek by")
        }
        let rate = drain.milliseconds > 0 ? Double(drain.bytes) / drain.milliseconds / 1000 : 0
        lines.append(
            "drain       \(drain.segments) segments, \(Self.number(Double(drain.bytes) / 1e6)) MB, \(Self.number(drain.mediaSeconds)) s of media in \(Self.number(drain.milliseconds / 1000)) s: \(Self.number(rate)) MB/s")
        lines.append("cpu         \(Self.number(drain.cpuMilliseconds)) ms for the drain, \(Self.number(drain.cpuSecondsPerGigabyte)) s/GB")
        lines.append("memory      \(Self.number(Double(peakResidentBytes) / 1e6)) MB resident at the peak")
        lines.append("origin      " + originLine)
        return lines
    }

    private var originLine: String {
        func part(_ name: String, _ bytes: Int64, _ requests: Int?) -> String {
            "\(name) \(Self.number(Double(bytes) / 1e6)) MB" + (requests.map { " in \($0) requests" } ?? "")
        }
        return [
            part("start", origin.start, origin.startRequests), part("seeks", origin.seeks, origin.seekRequests),
            part("drain", origin.drain, origin.drainRequests),
        ].joined(separator: " · ")
    }

    /// Three digits that count.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
        let scale = [1.0, 10, 100, 1000][places]
        let rounded = (value * scale).rounded() / scale
        return places == 0 ? "\(Int(clamping: Int64(rounded.clamped(to: -9e15...9e15))))" : "\(rounded)"
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double { min(max(self, range.lowerBound), range.upperBound) }
}
