import LoopbackHTTP
import Testing

@Suite struct ResponseTests {
    private func request(_ method: String = "GET", _ fields: [(String, String)] = []) -> RequestHead {
        RequestHead(method: method, target: "/x", minorVersion: 1, fields: fields.map { .init(name: $0.0, value: $0.1) })
    }

    private let resource = Resource(
        contentType: "video/mp4", body: ResourceBody(pieces: [.bytes([0, 1, 2]), .bytes([]), .bytes([3, 4, 5, 6, 7, 8, 9])]), isImmutable: true,
        etag: "v1")

    private func text(_ head: ResponseHead) -> String {
        var bytes: [UInt8] = []
        head.serialize(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aWholeAnswerInFull() {
        let response = Response(for: request(), resource: resource)
        #expect(
            text(response.head) == """
                HTTP/1.1 200 OK\r
                Access-Control-Allow-Origin: *\r
                Content-Type: video/mp4\r
                Content-Length: 10\r
                Accept-Ranges: bytes\r
                ETag: "v1"\r
                Cache-Control: public, max-age=31536000, immutable\r
                Access-Control-Expose-Headers: Content-Length, Content-Range, ETag, Date\r
                \r

                """)
        #expect(response.range == 0..<10)
    }

    @Test func aPartSaysWhichPart() {
        let response = Response(for: request("GET", [("range", "bytes=-4")]), resource: resource)
        #expect(response.head.status == .partialContent)
        #expect(response.head.value(of: "Content-Range") == "bytes 6-9/10")
        #expect(response.head.value(of: "Content-Length") == "4")
        #expect(response.range == 6..<10)
    }

    @Test func anImpossiblePartSaysHowMuchThereIs() {
        let response = Response(for: request("GET", [("range", "bytes=10-")]), resource: resource)
        #expect(response.head.status == .rangeNotSatisfiable)
        #expect(response.head.value(of: "Content-Range") == "bytes */10")
        #expect(response.head.value(of: "Cache-Control") == "no-store")
    }

    @Test func whatMayChangeIsAskedForAgain() {
        var growing = resource
        growing.isImmutable = false
        let response = Response(for: request(), resource: growing)
        #expect(response.head.value(of: "Cache-Control") == "no-cache")
        #expect(response.head.value(of: "ETag") == "\"v1\"")
    }

    @Test func severalRangesAndSeveralFieldsGiveTheWhole() {
        #expect(Response(for: request("GET", [("range", "bytes=3-4,90-")]), resource: resource).head.value(of: "Content-Range") == "bytes 3-4/10")
        #expect(Response(for: request("GET", [("range", "bytes=10-,90-")]), resource: resource).head.status == .rangeNotSatisfiable)
        #expect(Response(for: request("GET", [("range", "bytes=4-3")]), resource: resource).head.status == .ok)
        #expect(Response(for: request("GET", [("range", "bytes=0-1,3-4")]), resource: resource).head.status == .ok)
        #expect(Response(for: request("GET", [("range", "bytes=0-1"), ("range", "bytes=2-3")]), resource: resource).head.status == .ok)
    }

    @Test(arguments: [[], [("if-none-match", "\"v1\"")], [("if-match", "\"v2\"")], [("if-none-match", "\"v2\"")]] as [[(String, String)]])
    func headSaysWhatGetSays(fields: [(String, String)]) {
        let (get, head) = (Response(for: request("GET", fields), resource: resource), Response(for: request("HEAD", fields), resource: resource))
        #expect(text(head.head) == text(get.head))
        #expect(head.range.isEmpty)
    }

    @Test func headHasTheLengthAndNoContent() {
        let response = Response(for: request("HEAD", [("range", "bytes=0-1")]), resource: resource)
        #expect(response.head.status == .ok)
        #expect(response.head.value(of: "Content-Length") == "10")
        #expect(response.range.isEmpty)
    }

    @Test(
        arguments: [
            ("\"v1\"", .notModified), ("W/\"v1\"", .notModified), ("*", .notModified), ("\"a,b\", \"v1\"", .notModified), ("\"v2\"", .ok),
            ("v1", .ok), ("\"v1", .ok), ("", .ok),
        ] as [(String, Status)])
    func ifNoneMatch(field: String, status: Status) {
        let response = Response(for: request("GET", [("if-none-match", field)]), resource: resource)
        #expect(response.head.status == status)
        #expect(response.range.isEmpty == (status == .notModified))
        #expect(response.head.value(of: "ETag") == "\"v1\"")
    }

    @Test(
        arguments: [("\"v1\"", .partialContent), ("\"v2\"", .ok), ("W/\"v1\"", .ok), ("Sun, 06 Nov 1994 08:49:37 GMT", .ok)]
            as [(String, Status)])
    func ifRange(field: String, status: Status) {
        let response = Response(for: request("GET", [("range", "bytes=0-1"), ("if-range", field)]), resource: resource)
        #expect(response.head.status == status)
    }

    @Test func aNotModifiedAnswerRepeatsWhatACacheHasToKnow() {
        let response = Response(for: request("GET", [("if-none-match", "\"v1\""), ("range", "bytes=0-1")]), resource: resource)
        #expect(
            text(response.head) == """
                HTTP/1.1 304 Not Modified\r
                Access-Control-Allow-Origin: *\r
                ETag: "v1"\r
                Cache-Control: public, max-age=31536000, immutable\r
                Access-Control-Expose-Headers: Content-Length, Content-Range, ETag, Date\r
                \r

                """)
    }

    @Test func ifRangeTakesTheExactDateWhereThereIsOne() {
        var dated = resource
        dated.lastModified = 784_111_777
        for (field, status) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", .partialContent), ("Sun, 06 Nov 1994 08:49:38 GMT", .ok), ("nonsense", .ok),
        ] as [(String, Status)] {
            let response = Response(for: request("GET", [("range", "bytes=0-1"), ("if-range", field)]), resource: dated)
            #expect(response.head.status == status)
            #expect(response.head.value(of: "Last-Modified") == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test func whoHoldsTheBytesNeedNotWaitForThem() {
        let pending = ScriptedPending(etag: "v1", [])
        #expect(Response(for: request(), pending: pending) == nil)
        #expect(Response(for: request("GET", [("if-none-match", "\"v2\"")]), pending: pending) == nil)
        #expect(Response(for: request("GET", [("if-none-match", "\"v1\"")]), pending: pending)?.head.status == .notModified)
        #expect(Response(for: request("GET", [("if-match", "\"v2\"")]), pending: pending)?.head.status == .preconditionFailed)
        #expect(Response(for: request("GET", [("if-none-match", "*")]), pending: ScriptedPending([])) == nil, "without a tag nothing is known of it")
        #expect(Response.earlyHead(of: pending).value(of: "Cache-Control") == "public, max-age=31536000, immutable")
        #expect(Response.earlyHead(of: ScriptedPending([])).value(of: "Cache-Control") == "no-cache")
    }

    @Test func aTagThatIsNoTagIsNotSent() {
        var broken = resource
        broken.etag = "a\"b"
        #expect(broken.entityTag == nil)
        broken.etag = "a\r\nSet-Cookie: b"
        #expect(broken.entityTag == nil)
        broken.etag = "W/\"a\""
        #expect(broken.entityTag == "W/\"a\"")
    }

    @Test func aValueCannotEndItsLine() {
        var head = ResponseHead(.ok)
        head.add("Content-Type", "a/b\r\nX: y\n\0")
        #expect(text(head).hasSuffix("Content-Type: a/bX: y\r\n\r\n"))
    }

    @Test(arguments: [Status.badRequest, .notFound, .methodNotAllowed, .serviceUnavailable, .misdirectedRequest])
    func refusalsAreNeverKept(status: Status) {
        let response = Response(refusing: status)
        #expect(response.head.value(of: "Cache-Control") == "no-store")
        #expect((response.head.value(of: "Allow") != nil) == (status == .methodNotAllowed))
        #expect(response.range.count == response.body.byteCount)
        #expect(Response(refusing: status, isHead: true).range.isEmpty)
    }

    @Test func partsOfABodySkipWhatIsOutside() {
        let body = resource.body
        for lower in 0...10 {
            for upper in lower...10 {
                let bytes = body.parts(in: lower..<upper).flatMap { part -> [UInt8] in
                    guard case .bytes(let bytes) = part.piece else { return [] }
                    return Array(bytes[part.range])
                }
                #expect(bytes == (lower..<upper).map(UInt8.init))
            }
        }
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-5, "Thu, 01 Jan 1970 00:00:00 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func datesAreFixed(seconds: Int64, want: String) {
        #expect(HTTPDate.string(unixSeconds: seconds) == want)
        #expect(HTTPDate.unixSeconds(want) == min(max(seconds, 0), 253_402_300_799))
    }

    @Test(
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:60 GMT", 60),
            ("", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Now 1994 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 99999 08:49:37 GMT", nil),
            ("Wed, 31 Dec 1969 23:59:59 GMT", nil), ("Sun, 06 Nov 1994 -8:49:37 GMT", nil), (String(repeating: "a ", count: 9000), nil),
        ] as [(String, Int64?)])
    func datesOfOtherFormsAreRead(text: String, seconds: Int64?) {
        #expect(HTTPDate.unixSeconds(text) == seconds)
    }
}
