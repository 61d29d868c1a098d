/// What is done to decoded sound before it is encoded again. A value: what comes out is a function of it and of the samples.
package struct Shaping: Sendable, Hashable {
    /// The law of ``Compressor``; decibels.
    package struct Compression: Sendable, Hashable {
        /// dBFS.
        package var threshold: Double
        /// Above the threshold, so many decibels become one.
        package var ratio: Double
        package var makeUp: Double

        package init(threshold: Double, ratio: Double, makeUp: Double) {
            self.threshold = threshold
            self.ratio = ratio
            self.makeUp = makeUp
        }

        /// For a house that sleeps: what is above −30 dBFS four to one, all 10 dB louder.
        package static let night = Compression(threshold: -30, ratio: 4, makeUp: 10)
    }

    /// Channels at most; `nil`: as many as there are.
    package var maximumChannels: Int?
    /// Decibels that dialogue is raised by.
    package var dialogueGain: Double
    /// Decibels that all but dialogue is raised by; below zero for a boost that keeps dialogue where it is.
    package var bedGain: Double
    package var compression: Compression?

    /// Gains beyond this are no adjustment.
    package static let gains = -24.0...12.0

    package init(maximumChannels: Int? = nil, dialogueGain: Double = 0, bedGain: Double = 0, compression: Compression? = nil) {
        self.maximumChannels = maximumChannels.map { max($0, 1) }
        self.dialogueGain = Self.sane(dialogueGain)
        self.bedGain = Self.sane(bedGain)
        self.compression = compression
    }

    package static let none = Shaping()

    private static func sane(_ gain: Double) -> Double { gain.isFinite ? min(max(gain, gains.lowerBound), gains.upperBound) : 0 }

    /// Whether dialogue can be told from the rest: by a channel of its own, or as what both fronts have in common. In mono it cannot.
    package static func findsDialogue(in speakers: Speakers) -> Bool { speakers.hasOwnCentre || speakers.isSuperset(of: .stereo) }

    private func shiftsDialogue(of speakers: Speakers) -> Bool { dialogueGain != bedGain && Self.findsDialogue(in: speakers) }

    /// The speakers that remain.
    package func speakers(of source: Speakers) -> Speakers { maximumChannels.map(source.capped) ?? source }

    /// Whether nothing of this changes anything about such a source.
    package func isIdle(for source: Speakers) -> Bool { compression == nil && speakers(of: source) == source && !shiftsDialogue(of: source) }

    /// Whether dialogue has to be looked for in the fronts.
    func extracts(from source: Speakers) -> Bool { shiftsDialogue(of: source) && !source.hasOwnCentre }

    /// What each channel is multiplied by where dialogue has one of its own.
    func gains(of source: Speakers) -> [Float] {
        guard shiftsDialogue(of: source) else { return [Float](repeating: 1, count: source.count) }
        let (dialogue, bed) = (Float(Logarithm.amplitude(decibels: dialogueGain)), Float(Logarithm.amplitude(decibels: bedGain)))
        return source.each.map { $0 == .centre ? dialogue : bed }
    }
}
