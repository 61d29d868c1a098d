/// What two channels have in common and in phase, where speech is: the centre that a stereo mix has no channel for.
///
/// Both are cut into overlapping frames and transformed. Where, over a few frames and neighbouring bins, the two are alike (ψ = 2 Re⟨L R*⟩ ÷
/// ⟨|L|² + |R|²⟩: 1 for a source in the middle, 0 for one on a side or for sound that differs between the sides), the middle (L + R) ÷ 2 is taken with Wiener's weight
/// for a common source among independent ones, 2ψ ÷ (1 + ψ), in full from 120 Hz to 8 kHz and not below 60 Hz or above 12 kHz: bass is in the middle of most mixes, too. After
/// Avendano and Jot, "A Frequency-Domain Approach to Multichannel Upmix", J. AES 52 (2004), 740.
///
/// Frames lie on a grid of absolute positions and every sum has a fixed number of terms: a sample of the centre follows from `memory`
/// samples before it and `lookAhead` after it, wherever extraction began.
struct CentreExtraction: Sendable {
    /// Frames before and behind that likeness is measured over, and bins on either side.
    private static let reach = 3, bins = 2
    /// What independent noise may show of likeness by chance.
    private static let chance: Float = 0.3

    /// What is known of one frame: the middle's spectrum and both powers.
    private struct Spectrum: Sendable {
        var real: [Float], imaginary: [Float]
        /// |L|² + |R|², and 2 Re(L R*).
        var power: [Float], common: [Float]
    }

    private let size: Int
    private let hop: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let band: [Float]
    private var left: [Float], right: [Float]
    /// Frames around the next one to be written; `nil` before the first.
    private var spectra: [Spectrum?] = [Spectrum?](repeating: nil, count: CentreExtraction.reach)
    /// From the next frame to be written on.
    private var sum: [Float]
    /// Samples of the sum that lie before the first sample.
    private var skip: Int
    private var given = 0
    private var done = 0

    /// - Parameter position: Where the first sample is.
    init(sampleRate: Int, at position: Int64) {
        var size = 256
        while size < 16384, size * 1000 < sampleRate * 32 { size *= 2 }
        self.size = size
        hop = size / 4
        transform = FourierTransform(size: size)
        // The root of Hann's window, once before and once behind; at three quarters of overlap the squares add up to 2.
        window = (0..<size).map { Float(Logarithm.turn($0, of: 2 * size).sine) }
        let width = Double(sampleRate) / Double(size)
        band = (0...size / 2).map { bin in
            let hertz = Double(bin) * width
            let rise = min(max((hertz - 60) / 60, 0), 1), fall = min(max((12_000 - hertz) / 4000, 0), 1)
            return Float(rise * rise * (3 - 2 * rise) * fall * fall * (3 - 2 * fall))
        }
        let into = Int(((position % Int64(hop)) + Int64(hop)) % Int64(hop))
        skip = size - hop + into
        left = [Float](repeating: 0, count: skip)
        right = left
        sum = [Float](repeating: 0, count: size)
    }

    var lookAhead: Int { size + Self.reach * hop }
    var memory: Int { size + Self.reach * hop }

    /// - Returns: The centre; the first `lookAhead` samples given get no answer.
    mutating func process(_ left: [Float], _ right: [Float]) -> [Float] {
        self.left += left
        self.right += right
        given += left.count
        var ready: [Float] = []
        while self.left.count >= size {
            spectra.append(analyse())
            self.left.removeFirst(hop)
            self.right.removeFirst(hop)
            guard spectra.count > 2 * Self.reach else { continue }
            synthesise()
            spectra.removeFirst()
            ready += sum[..<hop]
            sum.removeFirst(hop)
            sum += [Float](repeating: 0, count: hop)
        }
        held += ready
        let passed = min(skip, held.count)
        held.removeFirst(passed)
        skip -= passed
        let count = max(0, min(held.count, given - lookAhead - done))
        defer { held.removeFirst(count) }
        done += count
        return Array(held[..<count])
    }

    private var held: [Float] = []

    private func analyse() -> Spectrum {
        let half = size / 2
        var real = [Float](repeating: 0, count: size), imaginary = real
        for i in 0..<size {
            real[i] = left[i] * window[i]
            imaginary[i] = right[i] * window[i]
        }
        // Left as the real and right as the imaginary part: one transform does for both.
        real.withUnsafeMutableBufferPointer { real in imaginary.withUnsafeMutableBufferPointer { transform.transform(real, $0) } }
        var found = Spectrum(
            real: [Float](repeating: 0, count: half + 1), imaginary: [Float](repeating: 0, count: half + 1), power: [Float](repeating: 0, count: half + 1),
            common: [Float](repeating: 0, count: half + 1))
        for k in 0...half {
            let mirror = (size - k) & (size - 1)
            let lr = (real[k] + real[mirror]) / 2, li = (imaginary[k] - imaginary[mirror]) / 2
            let rr = (imaginary[k] + imaginary[mirror]) / 2, ri = (real[mirror] - real[k]) / 2
            found.real[k] = (lr + rr) / 2
            found.imaginary[k] = (li + ri) / 2
            found.power[k] = lr * lr + li * li + rr * rr + ri * ri
            found.common[k] = 2 * (lr * rr + li * ri)
        }
        return found
    }

    /// Adds the frame in the midst of those known.
    private mutating func synthesise() {
        guard let middle = spectra[Self.reach] else { return }
        let half = size / 2
        var power = [Float](repeating: 0, count: half + 1), common = power
        for spectrum in spectra {
            guard let spectrum else { continue }
            for k in 0...half {
                power[k] += spectrum.power[k]
                common[k] += spectrum.common[k]
            }
        }
        var real = [Float](repeating: 0, count: size), imaginary = real
        for k in 0...half where band[k] > 0 {
            var (all, alike): (Float, Float) = (0, 0)
            for j in max(k - Self.bins, 0)...min(k + Self.bins, half) {
                all += power[j]
                alike += common[j]
            }
            guard all > 1e-20 else { continue }
            let likeness = (alike / all - Self.chance) / (1 - Self.chance)
            guard likeness > 0 else { continue }
            let weight = band[k] * min(2 * likeness / (1 + likeness), 1)
            (real[k], imaginary[k]) = (weight * middle.real[k], weight * middle.imaginary[k])
            if k > 0, k < half { (real[size - k], imaginary[size - k]) = (real[k], -imaginary[k]) }
        }
        // Exchanged, forward is backward.
        imaginary.withUnsafeMutableBufferPointer { imaginary in real.withUnsafeMutableBufferPointer { transform.transform(imaginary, $0) } }
        let scale = 1 / Float(2 * size)
        for i in 0..<size { sum[i] += real[i] * window[i] * scale }
    }
}
