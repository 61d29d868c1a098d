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
            ("bytes=0-1,4-5", .whole), ("bytes=0-,0-,0-", .part(0..<1000)), ("bytes=2000-,5-6", .part(5..<7)), ("bytes=5-6, -0", .part(5..<7)),
            ("bytes=1000-,2000-", .unsatisfiable), ("bytes= , 5-6 ,", .part(5..<7)), ("bytes=5-6,5-6", .part(5..<7)),
        ] as [(String, ByteRangeRequest.Selection)])
    func selectsOfAThousandBytes(field: String, selection: ByteRangeRequest.Selection) {
        #expect(ByteRangeRequest(field)?.selection(of: 1000) == selection)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,5-4", "bytes=,", "bytes=0-1,x", "bytes=a-b", "bytes=1", "items=0-1", "bytes=--1", "bytes=0-1-2",
        "bytes=+1-2", "bytes=0x1-2", "bytes 0-1", "bytes=0 - 1",
    ])
    func whatIsNotOneRangeIsIgnored(field: String) {
        #expect(ByteRangeRequest(field) == nil)
    }

    @Test func endlessListsAreIgnored() {
        #expect(ByteRangeRequest("bytes=" + Array(repeating: "5-6", count: 32).joined(separator: ",")) != nil)
        #expect(ByteRangeRequest("bytes=" + Array(repeating: "5-6", count: 33).joined(separator: ",")) == nil)
        #expect(ByteRangeRequest("bytes=5-6" + String(repeating: ",", count: 60_000)) == nil)
    }

    @Test func nothingHasNoRangesButItsLastBytes() {
        #expect(ByteRangeRequest("bytes=0-")?.selection(of: 0) == .unsatisfiable)
        #expect(ByteRangeRequest("bytes=-5")?.selection(of: 0) == .whole)
    }
}
