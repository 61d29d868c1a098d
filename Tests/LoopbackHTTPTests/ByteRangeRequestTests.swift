import LoopbackHTTP
import Testing

@Suite struct ByteRangeRequestTests {
    @Test(
        arguments: [
            ("bytes=0-99", .part(0..<100)), ("bytes=0-0", .part(0..<1)), ("bytes=200-", .part(200..<1000)), ("bytes=999-", .part(999..<1000)),
            ("bytes=990-2000", .part(990..<1000)), ("bytes=-1", .part(999..<1000)), ("bytes=-3999", .part(0..<1000)),
            ("bytes=-10", .part(990..<1000)), ("BYTES= 5-6 ", .part(5..<7)), ("bytes=1000-", .unsatisfiable),
            ("bytes=1000-1001", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=0-99999999999999999999999999", .part(0..<1000)), ("bytes=99999999999999999999999999-", .unsatisfiable),
            ("bytes=-99999999999999999999999999", .part(0..<1000)), ("bytes=0-9223372036854775807", .part(0..<1000)),
        ] as [(String, ByteRangeRequest.Selection)])
    func selectsOfAThousandBytes(field: String, selection: ByteRangeRequest.Selection) {
        #expect(ByteRangeRequest(field)?.selection(of: 1000) == selection)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,4-5", "bytes=a-b", "bytes=1", "items=0-1", "bytes=--1", "bytes=0-1-2",
        "bytes=+1-2", "bytes=0x1-2", "bytes 0-1", "bytes=0 - 1",
    ])
    func whatIsNotOneRangeIsIgnored(field: String) {
        #expect(ByteRangeRequest(field) == nil)
    }

    @Test func nothingHasNoRangesButItsLastBytes() {
        #expect(ByteRangeRequest("bytes=0-")?.selection(of: 0) == .unsatisfiable)
        #expect(ByteRangeRequest("bytes=-5")?.selection(of: 0) == .whole)
    }
}
