/// Where a channel is heard; bits in the order in which channels lie (WAVEFORMATEXTENSIBLE's, which libav keeps and continues).
package struct Speakers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let frontLeft = Speakers(rawValue: 1 << 0), frontRight = Speakers(rawValue: 1 << 1), centre = Speakers(rawValue: 1 << 2)
    package static let lowFrequency = Speakers(rawValue: 1 << 3), backLeft = Speakers(rawValue: 1 << 4), backRight = Speakers(rawValue: 1 << 5)
    package static let leftOfCentre = Speakers(rawValue: 1 << 6), rightOfCentre = Speakers(rawValue: 1 << 7), backCentre = Speakers(rawValue: 1 << 8)
    package static let sideLeft = Speakers(rawValue: 1 << 9), sideRight = Speakers(rawValue: 1 << 10)
    static let topCentre = Speakers(rawValue: 1 << 11), topFrontLeft = Speakers(rawValue: 1 << 12), topFrontCentre = Speakers(rawValue: 1 << 13)
    static let topFrontRight = Speakers(rawValue: 1 << 14), topBackLeft = Speakers(rawValue: 1 << 15), topBackCentre = Speakers(rawValue: 1 << 16)
    static let topBackRight = Speakers(rawValue: 1 << 17), stereoLeft = Speakers(rawValue: 1 << 29), stereoRight = Speakers(rawValue: 1 << 30)
    static let wideLeft = Speakers(rawValue: 1 << 31), wideRight = Speakers(rawValue: 1 << 32), directLeft = Speakers(rawValue: 1 << 33)
    static let directRight = Speakers(rawValue: 1 << 34), secondLowFrequency = Speakers(rawValue: 1 << 35), topSideLeft = Speakers(rawValue: 1 << 36)
    static let topSideRight = Speakers(rawValue: 1 << 37), bottomFrontCentre = Speakers(rawValue: 1 << 38), bottomFrontLeft = Speakers(rawValue: 1 << 39)
    static let bottomFrontRight = Speakers(rawValue: 1 << 40)

    package static let mono: Speakers = [.centre]
    package static let stereo: Speakers = [.frontLeft, .frontRight]
    static let sides: Speakers = [.sideLeft, .sideRight]
    static let backs: Speakers = [.backLeft, .backRight]

    package var count: Int { rawValue.nonzeroBitCount }

    /// One by one, in the order of channels.
    package var each: [Speakers] { (0..<64).compactMap { rawValue & 1 << UInt64($0) == 0 ? nil : Speakers(rawValue: 1 << UInt64($0)) } }

    /// The channel of one of these speakers.
    func channel(of speaker: Speakers) -> Int? {
        guard speaker.count == 1, contains(speaker) else { return nil }
        return (rawValue & (speaker.rawValue - 1)).nonzeroBitCount
    }

    /// Whether dialogue has a channel of its own: a centre with something beside it.
    var hasOwnCentre: Bool { contains(.centre) && count > 1 && !isDisjoint(with: [.frontLeft, .frontRight]) }

    /// These speakers, or what is left of them in at most so many channels: the nearest of ITU-R BS.775-3's smaller arrangements that has no
    /// speaker without a source. Never more than there are.
    package func capped(at most: Int) -> Speakers {
        guard count > max(most, 1) else { return self }
        let pair = isSuperset(of: .sides) ? Speakers.sides : .backs
        let ladder: [Speakers] = [
            .stereo.union([.centre, .lowFrequency]).union(pair), .stereo.union(.centre).union(pair), .stereo.union(pair), .stereo.union(.centre), .stereo,
        ]
        return ladder.first { $0.count <= most && isSuperset(of: $0) } ?? (most > 1 && !isDisjoint(with: .stereo) ? .stereo : .mono)
    }
}
