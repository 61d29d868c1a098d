#if canImport(Glibc)
internal import CUchardet
internal import Glibc
#elseif canImport(Darwin)
internal import Foundation
#endif

/// What the system has for old text: a guesser, and converters to UTF-8.
enum TextConversion {
    #if canImport(Glibc)
    /// The guesser's name of the encoding; `nil` where it has no idea.
    static func guess(_ bytes: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let result = bytes.withUnsafeBytes { uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
        uchardet_data_end(detector)
        guard result == 0, let name = uchardet_get_charset(detector).map({ String(cString: $0) }), !name.isEmpty, name != "ASCII" else { return nil }
        return name
    }

    static func canConvert(from name: String) -> Bool {
        guard let converter = open(name) else { return false }
        iconv_close(converter)
        return true
    }

    private static func open(_ name: String) -> iconv_t? {
        let converter = iconv_open("UTF-8", name)
        return converter == iconv_t(bitPattern: -1) ? nil : converter
    }

    /// - Returns: Everything that could be read; each byte that could not is one U+FFFD and counted.
    static func utf8(_ bytes: [UInt8], from name: String) -> (bytes: [UInt8], replaced: Int) {
        guard let converter = open(name) else {
            let text = String(decoding: bytes, as: UTF8.self)
            return (Array(text.utf8), 1)
        }
        defer { iconv_close(converter) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var replaced = 0
        var input = bytes
        let unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
        input.withUnsafeMutableBytes { source in
            var next = source.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = source.count
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
                while left > 0 {
                    var target = buffer.baseAddress
                    var room = buffer.count
                    let result = iconv(converter, &next, &left, &target, &room)
                    let failure = errno
                    output += UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<(buffer.count - room)]))
                    guard result == Int(bitPattern: UInt.max), failure != E2BIG else { continue }
                    // Not a character of this encoding, or cut off at the end.
                    output += [0xEF, 0xBF, 0xBD]
                    replaced += 1
                    let step = min(unit, left)
                    next = next.map { $0 + step }
                    left -= step
                }
            }
        }
        return (output, replaced)
    }
    #elseif canImport(Darwin)
    static func guess(_ bytes: [UInt8]) -> String? {
        let found = NSString.stringEncoding(for: Data(bytes), encodingOptions: nil, convertedString: nil, usedLossyConversion: nil)
        guard found != 0 else { return nil }
        let encoding = CFStringConvertNSStringEncodingToEncoding(found)
        return CFStringConvertEncodingToIANACharSetName(encoding).map { $0 as String }
    }

    static func canConvert(from name: String) -> Bool { encoding(name) != nil }

    private static func encoding(_ name: String) -> String.Encoding? {
        let found = CFStringConvertIANACharSetNameToEncoding(name as CFString)
        return found == kCFStringEncodingInvalidId ? nil : String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(found))
    }

    static func utf8(_ bytes: [UInt8], from name: String) -> (bytes: [UInt8], replaced: Int) {
        if let encoding = encoding(name), let text = String(bytes: bytes, encoding: encoding) { return (Array(text.utf8), 0) }
        // Foundation converts all or nothing: what is ASCII stays readable.
        let replaced = bytes.reduce(0) { $0 + ($1 >= 0x80 ? 1 : 0) }
        return (bytes.flatMap { $0 < 0x80 ? [$0] : [0xEF, 0xBF, 0xBD] }, max(1, replaced))
    }
    #else
    static func guess(_ bytes: [UInt8]) -> String? { nil }
    static func canConvert(from name: String) -> Bool { name == "UTF-8" }
    static func utf8(_ bytes: [UInt8], from name: String) -> (bytes: [UInt8], replaced: Int) { (Array(String(decoding: bytes, as: UTF8.self).utf8), 1) }
    #endif
}
