/// A complete representation: its length is known before the first byte is sent.
package struct Resource: Sendable {
    /// Media type, as it goes into Content-Type.
    package var contentType: String
    package var body: ResourceBody
    /// True when this name gives these bytes and never others, whoever serves at this address. Any cache may then answer for a year without
    /// asking, so the name must hold something no other session has: ports are given out again, and a later session may answer on this one.
    package var isImmutable: Bool
    /// Opaque tag, with or without its quotes (they are added when missing). A tag marked `W/` is never used for ranges. Like `isImmutable`
    /// it is compared with what a cache kept of this address, whichever session that came from.
    package var etag: String?
    /// When the bytes last changed, in seconds since 1970. Only where it can stand for them (a strong validator): they do not change twice in
    /// one second, and no other session could serve others at this address with the same date.
    package var lastModified: Int64?

    package init(contentType: String, body: ResourceBody, isImmutable: Bool, etag: String? = nil, lastModified: Int64? = nil) {
        self.contentType = contentType
        self.body = body
        self.isImmutable = isImmutable
        self.etag = etag
        self.lastModified = lastModified
    }

    /// `etag` as an entity-tag with quotes; nil when it holds a byte no tag may hold.
    package var entityTag: String? { Self.entityTag(etag) }

    /// RFC 9110 §8.8.3.
    static func entityTag(_ etag: String?) -> String? {
        guard let etag, !etag.isEmpty else { return nil }
        var opaque = etag.utf8[...]
        let isQuoted = opaque.last == 0x22 && (opaque.first == 0x22 && opaque.count >= 2 || opaque.starts(with: "W/\"".utf8) && opaque.count >= 4)
        if isQuoted { opaque = opaque.drop(while: { $0 != 0x22 }).dropFirst().dropLast() }
        guard opaque.allSatisfy({ $0 == 0x21 || ($0 >= 0x23 && $0 != 0x7F) }) else { return nil }
        return isQuoted ? etag : "\"\(etag)\""
    }
}
