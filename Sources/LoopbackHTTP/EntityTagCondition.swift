/// If-Match, If-None-Match and If-Range against a current entity-tag.
///
/// RFC 9110 §13.1.1, §13.1.2, §13.1.5; comparisons §8.8.3.2.
package enum EntityTagCondition {
    /// Whether an If-None-Match field names `current`, in the weak comparison. `*` names any; a nil `current` is a representation without a tag.
    package static func lists(_ current: String?, in field: String) -> Bool {
        names(field) { wanted in current.map { opaque($0) == opaque(wanted) } ?? false }
    }

    /// Whether an If-Match field names `current`, in the strong comparison: no weak tag equals anything.
    package static func listsStrongly(_ current: String?, in field: String) -> Bool {
        names(field) { wanted in !wanted.hasPrefix("W/") && current.map { wanted == $0 } ?? false }
    }

    /// Whether If-Range lets a range be served: with the strong comparison, or by the exact date.
    ///
    /// - Parameter lastModified: a strong validator, see ``Resource/lastModified``.
    package static func allowsRange(_ current: String?, lastModified: Int64? = nil, ifRange field: String) -> Bool {
        if field.hasSuffix("\"") { return current.map { !$0.hasPrefix("W/") && field == $0 } ?? false }
        return lastModified.map { HTTPDate.unixSeconds(field) == $0 } ?? false
    }

    /// Whether the field is `*` or one of its tags, quotes and `W/` included, passes. What is no tag ends the list.
    private static func names(_ field: String, _ matches: (Substring) -> Bool) -> Bool {
        if field == "*" { return true }
        var rest = Substring(field)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            let body = (rest.hasPrefix("W/") ? rest.dropFirst(2) : rest)
            guard body.hasPrefix("\""), let end = body.dropFirst().firstIndex(of: "\"") else { return false }
            if matches(rest[...end]) { return true }
            rest = body[body.index(after: end)...]
        }
    }

    private static func opaque(_ tag: some StringProtocol) -> Substring {
        Substring(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...])
    }
}
