/// What a validation looked at, and what it found.
package struct ValidationReport: Sendable, Codable, Equatable {
    package var url: String
    package var playlists = 0
    package var segments = 0
    package var bytes = 0
    package var findings: [Finding] = []
    /// Findings of a kind that is listed already, counted only.
    package var omitted = 0

    package init(url: String) { self.url = url }

    package func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    package var isValid: Bool { count(.must) == 0 }

    /// For people: the gravest first, each with where, what, why and what to do.
    package func table() -> String {
        var lines: [String] = []
        for severity in Severity.allCases {
            for finding in findings where finding.severity == severity {
                var place = finding.place.resource
                if let line = finding.place.line { place += ":\(line)" }
                if let box = finding.place.box { place += " \(box)" }
                if let offset = finding.place.byteOffset { place += " at byte \(offset)" }
                lines.append("\(severity.rawValue)\(String(repeating: " ", count: 7 - severity.rawValue.count))\(finding.rule)  \(finding.part)  \(place)")
                lines.append("       \(finding.problem)")
                lines.append("       \(finding.remedy) [\(finding.clause)]")
            }
        }
        let more = omitted > 0 ? ", \(omitted) more alike" : ""
        lines.append(
            "\(playlists) playlists, \(segments) segments, \(bytes) bytes: \(count(.must)) must, \(count(.should)) should, \(count(.note)) note\(more)")
        return lines.joined(separator: "\n")
    }
}
