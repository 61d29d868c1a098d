/// Shapes samples of one arrangement of speakers into another's: dialogue, fold, compressor, limiter, in this order, and each sample out is the
/// sample in of the same number.
///
/// Its memory has an end (``memory``), so that shapers begun apart agree to the bit from there on; its look-ahead is made up for: of the first
/// ``lookAhead`` samples given nothing comes out yet, and what comes first is the first sample. It holds no filter that feeds back, so nothing decays into
/// denormal numbers.
package struct SoundShaper: Sendable {
    package let source: Speakers
    package let target: Speakers
    /// Samples that must be given behind the last one wanted.
    package private(set) var lookAhead = 0
    /// Samples that must be given before the first one that is right.
    package private(set) var memory = 0

    private let fold: ChannelFold
    private let isPlain: Bool
    private var extraction: (extraction: CentreExtraction, delay: SampleDelay)?
    private let dialogue: Float
    private let bed: Float
    private var compressor: Compressor?
    private var limiter: Limiter?

    /// - Parameters:
    ///   - target: What the encoder takes; see ``Shaping/speakers(of:)`` for what it should be given.
    ///   - position: Where the first sample is: what works in frames lays them on a grid of positions.
    package init(_ shaping: Shaping, sampleRate: Int, from source: Speakers, to target: Speakers, at position: Int64) {
        self.source = source
        self.target = target
        let sampleRate = min(max(sampleRate, 4000), 768_000)
        var fold = ChannelFold(from: source, to: target)
        dialogue = Float(Logarithm.amplitude(decibels: shaping.dialogueGain))
        bed = Float(Logarithm.amplitude(decibels: shaping.bedGain))
        if shaping.extracts(from: source) {
            let centre = CentreExtraction(sampleRate: sampleRate, at: position)
            extraction = (centre, SampleDelay(channels: source.count))
            (lookAhead, memory) = (centre.lookAhead, centre.memory)
        } else {
            for (channel, gain) in shaping.gains(of: source).enumerated() { fold.scale(input: channel, by: gain) }
        }
        self.fold = fold
        isPlain = fold == ChannelFold(from: source, to: source)
        if let law = shaping.compression {
            let compressor = Compressor(law, sampleRate: sampleRate, channels: target.count)
            lookAhead += compressor.lookAhead
            memory += compressor.memory
            self.compressor = compressor
        }
        // Where nothing can become louder than it was, nothing is limited.
        if compressor != nil || extraction != nil || !fold.keepsLevels {
            let limiter = Limiter(sampleRate: sampleRate, channels: target.count)
            lookAhead += limiter.lookAhead
            memory += limiter.memory
            self.limiter = limiter
        }
    }

    /// - Parameter planes: As many channels as the source has, all of one length.
    /// - Returns: Channels of the target.
    package mutating func process(_ planes: [[Float]]) -> [[Float]] {
        guard planes.count == source.count, let count = planes.first?.count, planes.allSatisfy({ $0.count == count }) else {
            return [[Float]](repeating: [], count: target.count)
        }
        var planes = extraction == nil ? planes : balanced(planes)
        if !isPlain { planes = fold.mix(planes) }
        planes = compressor?.process(planes) ?? planes
        return limiter?.process(planes) ?? planes
    }

    /// Dialogue against the rest, where it is in the fronts.
    private mutating func balanced(_ planes: [[Float]]) -> [[Float]] {
        guard var (centre, delay) = extraction, let left = source.channel(of: .frontLeft), let right = source.channel(of: .frontRight) else { return planes }
        extraction = nil
        let common = centre.process(planes[left], planes[right])
        delay.append(planes)
        var output = delay.take(common.count)
        extraction = (centre, delay)
        let (bed, more) = (bed, dialogue - bed)
        for channel in output.indices {
            let isFront = channel == left || channel == right
            output[channel].withUnsafeMutableBufferPointer { plane in
                common.withUnsafeBufferPointer { common in
                    var i = 0
                    while i < plane.count {
                        plane[i] = bed * plane[i] + (isFront ? more * common[i] : 0)
                        i += 1
                    }
                }
            }
        }
        return output
    }
}
