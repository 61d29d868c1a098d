/// One thing a presentation has to keep: what it is called, who says so, and what to do where it is broken.
///
/// The rules are constants beside the checks that use them.
package struct Rule: Sendable, Hashable {
    /// Stable and dotted: subject, then fault.
    package let id: String
    package let severity: Severity
    /// Standard, edition and clause.
    package let clause: String
    package let remedy: String

    init(_ id: String, _ severity: Severity, _ clause: String, fix remedy: String) {
        self.id = id
        self.severity = severity
        self.clause = clause
        self.remedy = remedy
    }
}
