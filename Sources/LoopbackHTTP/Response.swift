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

        let conditions = request.values(of: "if-none-match")
        if let tag, conditions.contains(where: { EntityTagCondition.lists(tag, in: $0) }) {
            head = ResponseHead(.notModified)
            Self.addValidators(of: resource, to: &head)
            return
        }

        let isHead = request.method == "HEAD"
        switch Self.selection(for: request, tag: tag, byteCount: total) {
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
        Self.addValidators(of: resource, to: &head)
        if isHead { range = 0..<0 }
    }

    /// A refusal with a line of text, which no cache may keep.
    package init(refusing status: Status, isHead: Bool = false) {
        head = ResponseHead(status)
        let text = Array("\(status.rawValue) \(status.reason)\n".utf8)
        body = ResourceBody(text)
        range = isHead ? 0..<0 : 0..<text.count
        head.add("Content-Type", "text/plain; charset=utf-8")
        head.add("Content-Length", "\(text.count)")
        head.add("Cache-Control", "no-store")
        if status == .methodNotAllowed { head.add("Allow", "GET, HEAD, OPTIONS") }
        if status == .serviceUnavailable { head.add("Retry-After", "1") }
    }

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

    /// The head of an answer whose bytes are not there yet. Not to be kept: nothing in it says which bytes will come.
    package static func earlyHead(contentType: String) -> ResponseHead {
        var head = ResponseHead(.ok)
        head.add("Content-Type", contentType)
        head.add("Transfer-Encoding", "chunked")
        head.add("Cache-Control", "no-cache")
        return head
    }

    private static func selection(for request: RequestHead, tag: String?, byteCount: Int) -> ByteRangeRequest.Selection {
        // Range means something for GET only (RFC 9110 §14.2).
        guard request.method == "GET", let field = request.onlyValue(of: "range"), let wanted = ByteRangeRequest(field) else { return .whole }
        let conditions = request.values(of: "if-range")
        guard conditions.allSatisfy({ EntityTagCondition.allowsRange(tag, ifRange: $0) }) else { return .whole }
        return wanted.selection(of: byteCount)
    }

    private static func addValidators(of resource: Resource, to head: inout ResponseHead) {
        if let tag = resource.entityTag { head.add("ETag", tag) }
        // An hour, not a year: ports are given out again, and a later session may answer at this address.
        head.add("Cache-Control", resource.isImmutable ? "max-age=3600, immutable" : "no-cache")
        head.add("Access-Control-Expose-Headers", "Content-Length, Content-Range, ETag, Date")
    }
}
