/// A response whose length is known: head, and which bytes of which body follow it.
package struct Response: Sendable {
    package var head: ResponseHead
    package var body: ResourceBody
    /// The bytes to send; empty when the answer has no content (HEAD, 304).
    package var range: Range<Int>

    /// Answers a GET or HEAD for a representation that is there.
    ///
    /// Order of conditions: RFC 9110 §13.2.2.
    package init(for request: RequestHead, resource: Resource) {
        let total = resource.body.byteCount
        let tag = resource.entityTag
        body = resource.body
        range = 0..<0

        let isHead = request.method == "HEAD"
        switch Precondition.evaluate(request, tag: tag, lastModified: resource.lastModified) {
        case .proceed: break
        case .notModified:
            self = Response(notModified: tag, isImmutable: resource.isImmutable, lastModified: resource.lastModified)
            return
        case .failed:
            self = Response(refusing: .preconditionFailed, isHead: isHead)
            return
        }

        switch Self.selection(for: request, tag: tag, lastModified: resource.lastModified, byteCount: total) {
        case .unsatisfiable:
            self = Response(refusing: .rangeNotSatisfiable, isHead: isHead)
            head.add("Content-Range", "bytes */\(total)")
            return
        case .whole:
            head = ResponseHead(.ok)
            range = 0..<total
        case .part(let part):
            head = ResponseHead(.partialContent)
            head.add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)")
            range = part
        }
        head.add("Content-Type", resource.contentType)
        head.add("Content-Length", "\(range.count)")
        head.add("Accept-Ranges", "bytes")
        head.addCaching(tag: tag, isImmutable: resource.isImmutable, lastModified: resource.lastModified)
        if isHead { range = 0..<0 }
    }

    /// An answer for which the bytes need not be there: nil when they are wanted.
    package init?(for request: RequestHead, pending: any PendingResource) {
        guard let tag = Resource.entityTag(pending.etag) else { return nil }
        switch Precondition.evaluate(request, tag: tag, lastModified: nil) {
        case .proceed: return nil
        case .notModified: self.init(notModified: tag, isImmutable: pending.isImmutable, lastModified: nil)
        case .failed: self.init(refusing: .preconditionFailed, isHead: request.method == "HEAD")
        }
    }

    /// RFC 9110 §15.4.5.
    private init(notModified tag: String?, isImmutable: Bool, lastModified: Int64?) {
        head = ResponseHead(.notModified)
        body = ResourceBody([])
        range = 0..<0
        head.addCaching(tag: tag, isImmutable: isImmutable, lastModified: lastModified)
    }

    /// A refusal with a line of text, which no cache may keep.
    package init(refusing status: Status, isHead: Bool = false) {
        head = ResponseHead(status)
        let text = Self.line(of: status)
        body = ResourceBody(text)
        range = isHead ? 0..<0 : 0..<text.count
        head.add("Content-Type", "text/plain; charset=utf-8")
        head.add("Content-Length", "\(text.count)")
        head.add("Cache-Control", "no-store")
        if status == .methodNotAllowed { head.add("Allow", "GET, HEAD, OPTIONS") }
        if status == .serviceUnavailable { head.add("Retry-After", "1") }
    }

    /// What a refusal says in its content.
    static func line(of status: Status) -> [UInt8] { Array("\(status.rawValue) \(status.reason)\n".utf8) }

    /// The answer to OPTIONS: what a page may send, remembered by the browser for ten minutes.
    package static var preflight: Response {
        var response = Response(refusing: .noContent, isHead: true)
        response.head = ResponseHead(.noContent)
        response.head.add("Allow", "GET, HEAD, OPTIONS")
        response.head.add("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
        response.head.add("Access-Control-Allow-Headers", "Range, If-Range, If-None-Match, Cache-Control, Content-Type")
        response.head.add("Access-Control-Max-Age", "600")
        return response
    }

    /// The head of an answer whose bytes are not there yet. To be kept only where the name already says which bytes will come.
    package static func earlyHead(of pending: any PendingResource) -> ResponseHead {
        var head = ResponseHead(.ok)
        head.add("Content-Type", pending.contentType)
        head.add("Transfer-Encoding", "chunked")
        head.addCaching(tag: Resource.entityTag(pending.etag), isImmutable: pending.isImmutable, lastModified: nil)
        return head
    }

    private static func selection(for request: RequestHead, tag: String?, lastModified: Int64?, byteCount: Int) -> ByteRangeRequest.Selection {
        // Range means something for GET only (RFC 9110 §14.2).
        guard request.method == "GET", let field = request.onlyValue(of: "range"), let wanted = ByteRangeRequest(field) else { return .whole }
        let conditions = request.values(of: "if-range")
        guard conditions.allSatisfy({ EntityTagCondition.allowsRange(tag, lastModified: lastModified, ifRange: $0) }) else { return .whole }
        return wanted.selection(of: byteCount)
    }
}

extension ResponseHead {
    /// Validators, and how long an answer may be kept: a year without asking, or only to be asked about each time it is wanted.
    ///
    /// RFC 9111 §5.2.2, RFC 8246 §2.
    fileprivate mutating func addCaching(tag: String?, isImmutable: Bool, lastModified: Int64?) {
        if let tag { add("ETag", tag) }
        if let lastModified { add("Last-Modified", HTTPDate.string(unixSeconds: lastModified)) }
        add("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
        add("Access-Control-Expose-Headers", "Content-Length, Content-Range, ETag, Date")
    }
}
