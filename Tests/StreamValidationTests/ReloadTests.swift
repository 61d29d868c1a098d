import Foundation
import Locks
import StreamValidation
import Testing

/// A playlist that changes with each reading; its segments are those of the reference presentation.
private final class GrowingFetcher: ResourceFetcher {
    private let presentation = ReferencePresentation()
    private let versions: [String]
    private let reading = Locked(0)

    init(_ versions: [String]) { self.versions = versions }

    func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched {
        guard url.lastPathComponent == "index.m3u8" else { return try await MemoryFetcher(presentation: presentation).fetch(url, range: range) }
        let at = reading.withLock { count in
            defer { count += 1 }
            return min(count, versions.count - 1)
        }
        let headers = ["content-type": "application/vnd.apple.mpegurl", "content-encoding": "gzip", "access-control-allow-origin": "*"]
        return Fetched(bytes: Array(versions[at].utf8), headers: headers, url: url)
    }
}

@Suite struct ReloadTests {
    /// A live playlist of the reference's segments.
    private static func live(
        _ segments: [Int], first: Int? = nil, target: Int = 4, type: String? = nil, ended: Bool = false, cuts: Int? = nil, cut: Set<Int> = [], lasting: String = "4.000"
    ) -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:\(target)", "#EXT-X-MEDIA-SEQUENCE:\(first ?? segments.first ?? 0)"]
        if let type { lines.append("#EXT-X-PLAYLIST-TYPE:\(type)") }
        if let cuts { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(cuts)") }
        lines.append("#EXT-X-MAP:URI=\"init.mp4\"")
        for segment in segments {
            if cut.contains(segment) { lines.append("#EXT-X-DISCONTINUITY") }
            lines += ["#EXTINF:\(lasting),", "seg\(segment).m4s"]
        }
        if ended { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func validate(_ versions: [String], following: StreamValidator.Following = .reloads(2)) async throws -> ValidationReport {
        let url = try #require(URL(string: ReferencePresentation.base + "hi/index.m3u8"))
        return try await StreamValidator(fetcher: GrowingFetcher(versions), following: following, pause: { _ in }).validate(url)
    }

    @Test func appendingAndSlidingAreAllowed() async throws {
        let sliding = try await validate([Self.live([0, 1, 2]), Self.live([1, 2, 3]), Self.live([2, 3, 4])])
        #expect(sliding.findings == [])
        #expect(sliding.segments == 5)
        let event = try await validate([Self.live([0], type: "EVENT"), Self.live([0, 1, 2], type: "EVENT"), Self.live([0, 1, 2, 3, 4], type: "EVENT", ended: true)])
        #expect(event.findings == [])
    }

    @Test func aDiscontinuityThatLeavesIsCounted() async throws {
        let counted = try await validate([Self.live([0, 1, 2, 3], cuts: 0, cut: [1]), Self.live([2, 3, 4], cuts: 1)])
        #expect(counted.findings == [])
        let kept = try await validate([Self.live([0, 1, 2, 3], cuts: 0, cut: [1]), Self.live([1, 2, 3], cuts: 0, cut: [1])])
        #expect(kept.findings == [])
    }

    @Test func aSessionIsFollowedToItsEnd() async throws {
        let versions = (1...5).map { Self.live(Array(0..<$0), type: "EVENT", ended: $0 == 5) }
        let report = try await validate(versions, following: .untilEnd)
        #expect(report.findings == [])
        #expect(report.segments == 5)
        // One that never ends is left after a while.
        #expect(try await validate([versions[0]], following: .untilEnd).segments == 1)
    }

    static let faults: [(rule: String, versions: [String])] = [
        ("reload.target", [live([0, 1, 2]), live([0, 1, 2, 3], target: 5)]),
        ("reload.type", [live([0, 1, 2], type: "EVENT"), live([0, 1, 2, 3])]),
        ("reload.sequence", [live([1, 2, 3]), live([0, 1, 2, 3])]),
        ("reload.event", [live([0, 1, 2], type: "EVENT"), live([1, 2, 3], type: "EVENT")]),
        ("reload.appended", [live([0, 1, 2, 3]), live([0, 1, 2])]),
        ("reload.segment", [live([0, 1, 2]), live([1, 2, 3], first: 0)]),
        ("reload.segment", [live([0, 1, 2]), live([0, 1, 2, 3], lasting: "3.990")]),
        ("reload.segment", [live([0, 1, 2], cuts: 0), live([0, 1, 2, 3], cuts: 0, cut: [1])]),
        ("reload.discontinuity", [live([0, 1, 2, 3], cuts: 0, cut: [1]), live([2, 3, 4], cuts: 0)]),
        ("reload.window", [live([0, 1, 2]), live([2, 3])]),
        ("playlist.discontinuity-sequence", [live([0, 1, 2], cut: [1])]),
        ("playlist.no-segments-yet", [live([]), live([0, 1, 2])]),
        ("segment.over-target", [live([0, 1, 2]), live([0, 1, 2], lasting: "5.000")]),
    ]

    @Test(arguments: faults) func whatMayNotChangeIsFound(_ fault: (rule: String, versions: [String])) async throws {
        let found = Set(try await validate(fault.versions).findings.map(\.rule))
        #expect(found.contains(fault.rule), "\(found)")
        #expect(found.subtracting([fault.rule, "reload.segment"]).isEmpty, "\(found)")
    }
}
