import LoopbackHTTP
import Testing

@Suite struct PreconditionTests {
    private func outcome(_ fields: [(String, String)], tag: String? = "\"v1\"", lastModified: Int64? = nil) -> Precondition {
        Precondition.evaluate(
            RequestHead(method: "GET", target: "/x", minorVersion: 1, fields: fields.map { .init(name: $0.0, value: $0.1) }), tag: tag,
            lastModified: lastModified)
    }

    @Test(
        arguments: [
            ("\"v1\"", .notModified), ("W/\"v1\"", .notModified), ("*", .notModified), ("\"a,b\", \"v1\"", .notModified),
            (",, \"x\" ,\t W/\"v1\",", .notModified), ("\"v2\", W/\"v3\"", .proceed), ("v1", .proceed), ("\"v1", .proceed), ("", .proceed),
            ("\"V1\"", .proceed), ("\"x\" garbage \"v1\"", .proceed), ("\"x\", *", .proceed), ("w/\"v1\"", .proceed),
        ] as [(String, Precondition)])
    func ifNoneMatchComparesWeakly(field: String, want: Precondition) {
        #expect(outcome([("if-none-match", field)]) == want)
        if field != "*" { #expect(outcome([("if-none-match", field)], tag: nil) == .proceed) }
    }

    @Test(
        arguments: [
            ("\"v1\"", .proceed), ("*", .proceed), ("\"x\", \"v1\"", .proceed), ("W/\"v1\"", .failed), ("\"v2\"", .failed), ("", .failed),
            ("v1", .failed),
        ] as [(String, Precondition)])
    func ifMatchComparesStrongly(field: String, want: Precondition) {
        #expect(outcome([("if-match", field)]) == want)
    }

    @Test func weakTagsMatchWeaklyOnly() {
        #expect(outcome([("if-none-match", "\"v1\"")], tag: "W/\"v1\"") == .notModified)
        #expect(outcome([("if-match", "W/\"v1\"")], tag: "W/\"v1\"") == .failed)
    }

    @Test func severalFieldsAreOneList() {
        #expect(outcome([("if-none-match", "\"a\""), ("if-none-match", "\"v1\"")]) == .notModified)
        #expect(outcome([("if-match", "\"a\""), ("if-match", "\"v1\"")]) == .proceed)
    }

    @Test func datesCountWhereOneIsKnown() {
        let (before, at, after) = ("Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:38 GMT")
        for (date, want) in [(before, Precondition.proceed), (at, .notModified), (after, .notModified), ("yesterday", .proceed)] {
            #expect(outcome([("if-modified-since", date)], lastModified: 784_111_777) == want)
            #expect(outcome([("if-modified-since", date)]) == .proceed, "no date is known")
        }
        for (date, want) in [(before, Precondition.failed), (at, .proceed), (after, .proceed), ("yesterday", .proceed)] {
            #expect(outcome([("if-unmodified-since", date)], lastModified: 784_111_777) == want)
        }
    }

    @Test func tagsOverruleDatesAndMatchComesFirst() {
        let late = "Sun, 06 Nov 2050 08:49:37 GMT"
        #expect(outcome([("if-none-match", "\"v2\""), ("if-modified-since", late)], lastModified: 1) == .proceed)
        #expect(outcome([("if-match", "\"v1\""), ("if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT")], lastModified: 9) == .proceed)
        #expect(outcome([("if-match", "\"v2\""), ("if-none-match", "\"v1\"")]) == .failed)
        #expect(outcome([("if-match", "\"v1\""), ("if-none-match", "\"v1\"")]) == .notModified)
    }
}
