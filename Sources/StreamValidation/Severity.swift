/// How much a finding weighs.
package enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// A requirement of a standard is broken: some player will fail on it.
    case must
    /// A recommendation is not kept, or a requirement that binds only deliveries to Apple devices.
    case should
    /// True, and worth knowing; nothing has to be done.
    case note
}
