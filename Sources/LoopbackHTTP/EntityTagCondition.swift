/// If-None-Match and If-Range against a current entity-tag.
///
/// RFC 9110 §13.1.2, §13.1.5, comparison §8.8.3.2.
package enum EntityTagCondition {
    /// Whether an If-None-Match field names `current`, in the weak comparison.
    package static func lists(_ current: String, in field: String) -> Bool {
        let wanted = opaque(current)
        var rest = Substring(field)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.hasPrefix("*") { return true }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.hasPrefix("\"") else { return false }
            let body = rest.dropFirst()
            guard let end = body.firstIndex(of: "\"") else { return false }
            if rest[...end] == wanted { return true }
            rest = body[body.index(after: end)...]
        }
    }

    /// Whether If-Range lets a range be served. Dates never do: this server publishes none to compare with.
    package static func allowsRange(_ current: String?, ifRange field: String) -> Bool {
        guard let current, !current.hasPrefix("W/") else { return false }
        return field == current
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
