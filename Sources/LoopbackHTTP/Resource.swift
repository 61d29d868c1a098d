/// A complete representation: its length is known before the first byte is sent.
package struct Resource: Sendable {
    /// Media type, as it goes into Content-Type.
    package var contentType: String
    package var body: ResourceBody
    /// True when this name will give these bytes for as long as the server lives. Clients may then keep the answer without asking again,
    /// so names should be unlike those of another session that could later be given the same port.
    package var isImmutable: Bool
    /// Opaque tag, with or without its quotes (they are added when missing). A tag marked `W/` is never used for ranges.
    package var etag: String?

    package init(contentType: String, body: ResourceBody, isImmutable: Bool, etag: String? = nil) {
        self.contentType = contentType
        self.body = body
        self.isImmutable = isImmutable
        self.etag = etag
    }

    /// `etag` as an entity-tag with quotes; nil when it holds a byte no tag may hold.
    ///
    /// RFC 9110 §8.8.3.
    package var entityTag: String? {
        guard let etag, !etag.isEmpty else { return nil }
        let isQuoted = etag.utf8.count >= 2 && etag.hasSuffix("\"") && (etag.hasPrefix("\"") || etag.hasPrefix("W/\""))
        let tag = isQuoted ? etag : "\"\(etag)\""
        let opaque = tag.drop(while: { $0 != "\"" }).dropFirst().dropLast()
        guard opaque.utf8.allSatisfy({ $0 == 0x21 || ($0 >= 0x23 && $0 != 0x7F) }) else { return nil }
        return tag
    }
}
