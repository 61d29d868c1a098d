/// The discrete Fourier transform of a power of two of complex values, in place: Cooley and Tukey's, radix two.
struct FourierTransform: Sendable {
    let size: Int
    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int32]

    /// - Parameter size: A power of two, at least 2.
    init(size: Int) {
        self.size = size
        let turns = (0..<size / 2).map { Logarithm.turn($0, of: size) }
        cosines = turns.map { Float($0.cosine) }
        sines = turns.map { Float($0.sine) }
        let bits = size.trailingZeroBitCount
        reversed = (0..<size).map { number in
            (0..<bits).reduce(Int32(0)) { $0 | (number >> $1 & 1 == 0 ? 0 : 1 << Int32(bits - 1 - $1)) }
        }
    }

    /// e^(−2πi…); the inverse, with real and imaginary parts exchanged, is not scaled.
    func transform(_ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>) {
        guard real.count == size, imaginary.count == size else { return }
        reversed.withUnsafeBufferPointer { reversed in
            var i = 0
            while i < size {
                let j = Int(reversed[i])
                if j > i {
                    (real[i], real[j]) = (real[j], real[i])
                    (imaginary[i], imaginary[j]) = (imaginary[j], imaginary[i])
                }
                i += 1
            }
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = 1
                while half < size {
                    let step = size / (2 * half)
                    var start = 0
                    while start < size {
                        var k = 0
                        while k < half {
                            let (a, b) = (start + k, start + k + half)
                            let (c, s) = (cosines[k * step], -sines[k * step])
                            let re = real[b] * c - imaginary[b] * s, im = real[b] * s + imaginary[b] * c
                            (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
                            (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
                            k += 1
                        }
                        start += 2 * half
                    }
                    half *= 2
                }
            }
        }
    }
}
