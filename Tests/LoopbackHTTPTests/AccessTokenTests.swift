@testable import LoopbackHTTP
import Testing

@Suite struct AccessTokenTests {
    /// Counts what is taken from it.
    private final class Counter { var count = 0 }
    private struct Counted: Sequence, IteratorProtocol {
        var bytes: Array<UInt8>.Iterator
        let counter: Counter
        mutating func next() -> UInt8? {
            counter.count += 1
            return bytes.next()
        }
    }

    @Test func thirtyTwoCharactersThatNeedNoEscaping() {
        var seen: Set<String> = []
        var characters: Set<Character> = []
        for _ in 0..<200 {
            let text = AccessToken().pathComponent
            #expect(text.utf8.count == 32)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            seen.insert(text)
            characters.formUnion(text)
        }
        #expect(seen.count == 200)
        // Six bits a character: all 64 occur among 6,400 draws but once in 10⁴² runs.
        #expect(characters.count == 64)
    }

    @Test func onlyTheTokenItselfMatches() {
        var generator = Seeded(1)
        let token = AccessToken(using: &generator)
        let right = Array(token.pathComponent.utf8)
        #expect(token.matches(right))
        for index in right.indices {
            var wrong = right
            wrong[index] ^= 1
            #expect(!token.matches(wrong))
            #expect(!token.matches(right[..<index]), "a beginning")
        }
        #expect(!token.matches(right + [0]))
        #expect(!token.matches([]))
        #expect(!token.matches([UInt8](repeating: 0, count: 32)))
    }

    @Test func comparingTakesTheSameStepsWhateverIsCompared() {
        var generator = Seeded(2)
        let token = AccessToken(using: &generator)
        let right = Array(token.pathComponent.utf8)
        var candidates = [right, [UInt8](repeating: 0x41, count: 32), [UInt8](repeating: 0x41, count: 4096), [], Array(right[..<31])]
        for index in right.indices { candidates.append(right.enumerated().map { $0.offset < index ? $0.element : $0.element ^ 0x20 }) }
        for candidate in candidates {
            let counter = Counter()
            _ = token.matches(Counted(bytes: candidate.makeIterator(), counter: counter))
            #expect(counter.count == 33)
        }
    }

    @Test func printingOneShowsNothing() {
        let token = AccessToken()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), String(describing: Optional(token) as Any), dumped, "\([token])"] {
            #expect(!text.contains(token.pathComponent))
            // Nor as the array of its bytes.
            #expect(!text.contains("\(token.pathComponent.utf8.first ?? 0), "))
        }
    }
}
