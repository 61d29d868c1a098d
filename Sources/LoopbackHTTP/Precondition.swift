/// What the conditions of a GET or HEAD come to.
///
/// Order: RFC 9110 §13.2.2. A tag overrules a date; a date that is none is ignored, as is any where none is known to compare with.
package enum Precondition: Sendable, Equatable {
    case proceed
    /// 304.
    case notModified
    /// 412.
    case failed

    /// - Parameters:
    ///   - tag: the current entity-tag, with quotes; nil when there is none.
    ///   - lastModified: seconds since 1970; nil when it is not known.
    package static func evaluate(_ request: RequestHead, tag: String?, lastModified: Int64?) -> Precondition {
        let wanted = request.values(of: "if-match")
        if !wanted.isEmpty {
            guard wanted.contains(where: { EntityTagCondition.listsStrongly(tag, in: $0) }) else { return .failed }
        } else if let lastModified, let date = request.onlyValue(of: "if-unmodified-since").flatMap(HTTPDate.unixSeconds), lastModified > date {
            return .failed
        }
        let held = request.values(of: "if-none-match")
        if !held.isEmpty {
            if held.contains(where: { EntityTagCondition.lists(tag, in: $0) }) { return .notModified }
        } else if let lastModified, let date = request.onlyValue(of: "if-modified-since").flatMap(HTTPDate.unixSeconds), lastModified <= date {
            return .notModified
        }
        return .proceed
    }
}
