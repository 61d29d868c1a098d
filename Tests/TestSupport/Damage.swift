/// Spoilt copies of bytes that were whole.
package enum Damage {
    /// Every prefix, the empty one included.
    package static func truncations(of bytes: [UInt8]) -> [[UInt8]] { bytes.indices.map { Array(bytes[..<$0]) } }

    /// Copies with one to four bytes changed, the same in every run.
    package static func mutations(of bytes: [UInt8], count: Int = 500, seed: UInt64 = 1) -> [[UInt8]] {
        guard !bytes.isEmpty else { return [] }
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            var copy = bytes
            for _ in 0...Int.random(in: 0...3, using: &random) {
                copy[Int.random(in: copy.indices, using: &random)] = [0, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            return copy
        }
    }

    /// Both kinds.
    package static func all(of bytes: [UInt8], mutations count: Int = 500) -> [[UInt8]] {
        truncations(of: bytes) + mutations(of: bytes, count: count)
    }
}
