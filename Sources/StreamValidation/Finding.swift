/// Where in a presentation a fault lies.
package struct Place: Sendable, Hashable, Codable {
    /// The resource as its playlist names it, or the address that was given.
    package var resource: String
    /// Of a playlist or WebVTT file, from 1.
    package var line: Int?
    /// Box path: `moov/trak/tkhd`.
    package var box: String?
    /// From the start of the resource.
    package var byteOffset: Int?

    package init(_ resource: String, line: Int? = nil, box: String? = nil, byteOffset: Int? = nil) {
        self.resource = resource
        self.line = line
        self.box = box
        self.byteOffset = byteOffset
    }
}

/// A rule that a presentation does not keep.
package struct Finding: Sendable, Hashable, Codable {
    package let severity: Severity
    package let rule: String
    package let clause: String
    /// Which playlist it came up in: `multivariant`, `video`, `audio English`.
    package let part: String
    package let place: Place
    package let problem: String
    package let remedy: String
}

/// Findings as they come up. Of the same kind in the same part only the first few are kept, the others counted: a fault of the packager
/// shows in each of a thousand segments.
package struct Findings: Sendable {
    static let limit = 4

    private struct Kind: Hashable {
        let rule: String
        let part: String
    }

    /// What is being looked at.
    package var part: String
    package private(set) var all: [Finding] = []
    private var counts: [Kind: Int] = [:]

    package init(part: String = "") { self.part = part }

    package mutating func add(_ rule: Rule, _ place: Place, _ problem: String) {
        let kind = Kind(rule: rule.id, part: part)
        counts[kind, default: 0] += 1
        guard counts[kind, default: 0] <= Self.limit else { return }
        all.append(
            Finding(severity: rule.severity, rule: rule.id, clause: rule.clause, part: part, place: place, problem: problem, remedy: rule.remedy))
    }

    /// The same for what is true of a whole server: told once, wherever it came up first.
    package mutating func addOnce(_ rule: Rule, _ place: Place, _ problem: String) {
        guard !all.contains(where: { $0.rule == rule.id }) else { return }
        add(rule, place, problem)
    }

    /// Takes over what is not told of yet.
    mutating func merge(_ other: Findings) {
        for finding in other.all where !all.contains(where: { $0.rule == finding.rule && $0.part == finding.part && $0.problem == finding.problem }) {
            let kind = Kind(rule: finding.rule, part: finding.part)
            counts[kind, default: 0] += 1
            if counts[kind, default: 0] <= Self.limit { all.append(finding) }
        }
    }

    /// How many more of a finding's kind there are than are listed.
    package var omitted: Int { counts.values.reduce(0) { $0 + max(0, $1 - Self.limit) } }
}
