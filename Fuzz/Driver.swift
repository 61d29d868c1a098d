// The whole of a libFuzzer program: `Fuzz TARGET [libFuzzer's arguments]`, and `Fuzz --list`. Built and run by script/fuzz.

internal import Glibc

/// libFuzzer's own `main`, without its choice of what to call.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ oneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Set once, before the fuzzer's only thread of work begins.
private nonisolated(unsafe) var chosen: FuzzTarget?

/// libFuzzer's library names it, so it must be there; what is called is what ``runFuzzer`` is given.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// SwiftPM makes `main` of an executable target named Fuzz this function.
@_cdecl("Fuzz_main")
public func fuzzMain(_ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    let wanted = argumentCount > 1 ? arguments?[1].map { String(cString: $0) } ?? "" : ""
    if wanted == "--list" {
        for target in FuzzTarget.all { print(target.name) }
        return 0
    }
    guard let target = FuzzTarget.all.first(where: { $0.name == wanted }), let arguments else {
        print("usage: Fuzz --list | TARGET [libFuzzer's arguments]")
        return 2
    }
    chosen = target
    // The target's name is taken out; the program's own stays the first.
    arguments[1] = arguments[0]
    var (count, rest): (CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = (argumentCount - 1, arguments + 1)
    return runFuzzer(&count, &rest, testOneInput)
}
