/// How well one tag answers another; the greater the better.
///
/// The script counts before the region. On each, agreement (both silent included) is better than one that says nothing, which is better than
/// two that differ: `en-GB` is answered by `en-GB`, then `en`, then `en-US`.
package struct LanguageMatch: Sendable, Hashable, Comparable, CustomStringConvertible {
    package enum Agreement: Int, Sendable, Comparable {
        case differs, unsaid
        /// One region lies in the other: `es-MX` and `es-419`.
        case contained
        case agrees

        package static func < (a: Agreement, b: Agreement) -> Bool { a.rawValue < b.rawValue }
    }

    /// One language by its code; else two that are close enough (see ``LanguageAliases/areClose(_:_:)``).
    package let isSameLanguage: Bool
    package let script: Agreement
    package let region: Agreement
    package let variants: Agreement

    /// `nil` where the two are different languages.
    package init?(_ a: LanguageTag, _ b: LanguageTag) {
        guard a.language != nil, b.language != nil, a.primary == b.primary || LanguageAliases.areClose(a.primary, b.primary) else { return nil }
        func agreement<Subtag: Equatable>(_ a: Subtag?, _ b: Subtag?) -> Agreement { a == b ? .agrees : a == nil || b == nil ? .unsaid : .differs }
        isSameLanguage = a.primary == b.primary
        script = agreement(a.effectiveScript, b.effectiveScript)
        if let one = a.region, let other = b.region, Region.isPart(one, of: other) || Region.isPart(other, of: one) {
            region = .contained
        } else {
            region = agreement(a.region, b.region)
        }
        variants = agreement(a.variants.isEmpty ? nil : a.variants, b.variants.isEmpty ? nil : b.variants)
    }

    /// The same for labels, by the names in them too; `nil` where one of them names no language.
    package init?(preference: String, label: String?) {
        guard let a = LanguageLabel.matched(preference), let b = LanguageLabel.matched(label) else { return nil }
        self.init(a, b)
    }

    package var isExact: Bool { isSameLanguage && script == .agrees && region == .agrees && variants == .agrees }

    /// Both say how they are written, and it is not the same way: no answer for who is to read it.
    package var isUnreadable: Bool { script == .differs }

    package static func < (a: LanguageMatch, b: LanguageMatch) -> Bool { a.rank.lexicographicallyPrecedes(b.rank) }

    private var rank: [Int] { [isSameLanguage ? 1 : 0, script.rawValue, region.rawValue, variants.rawValue] }

    /// `exact`, or what keeps it from being that.
    package var description: String {
        if isExact { return "exact" }
        var words = isSameLanguage ? [] : ["close language"]
        for (name, agreement) in [("script", script), ("region", region), ("variant", variants)] {
            switch agreement {
            case .agrees: break
            case .contained: words.append("wider \(name)")
            case .unsaid: words.append("\(name) unsaid")
            case .differs: words.append("other \(name)")
            }
        }
        return words.joined(separator: ", ")
    }
}
