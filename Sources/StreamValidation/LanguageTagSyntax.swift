/// Whether text has the form of a language tag (RFC 5646 §2.1). The registry of languages is not looked into.
enum LanguageTagSyntax {
    static func isWellFormed(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(isAlphanumeric) }), let language = parts.first else { return false }
        var rest = parts.dropFirst()
        if language == [0x78] || language == [0x58] { return !rest.isEmpty }  // private use: x-…
        if language == [0x69] || language == [0x49] { return !rest.isEmpty }  // grandfathered: i-klingon
        guard language.count >= 2, language.allSatisfy(isLetter) else { return false }
        if language.count <= 3 {
            var extended = 0
            while let next = rest.first, next.count == 3, next.allSatisfy(isLetter), extended < 3 {
                rest = rest.dropFirst()
                extended += 1
            }
        }
        if let next = rest.first, next.count == 4, next.allSatisfy(isLetter) { rest = rest.dropFirst() }  // script
        if let next = rest.first, next.count == 2 && next.allSatisfy(isLetter) || next.count == 3 && next.allSatisfy(isDigit) { rest = rest.dropFirst() }  // region
        while let next = rest.first, next.count >= 5 || next.count == 4 && next.first.map(isDigit) == true { rest = rest.dropFirst() }  // variants
        while let singleton = rest.first {
            guard singleton.count == 1 else { return false }
            rest = rest.dropFirst()
            let isPrivate = singleton == [0x78] || singleton == [0x58]
            var taken = 0
            while let next = rest.first, isPrivate || next.count >= 2 {
                rest = rest.dropFirst()
                taken += 1
                if next.isEmpty { return false }
            }
            if taken == 0 { return false }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
