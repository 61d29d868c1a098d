/// What each channel of one arrangement of speakers gets from those of another: the downward mixing of ITU-R BS.775-3, Annex 4, Table 2.
///
/// A centre goes to both fronts at −3 dB, a surround to its side's front at −3 dB, a single surround to both fronts at −6 dB, the low-frequency
/// channel goes nowhere; in mono all of that at 3 dB less a side. What is not in the recommendation goes by the same measure: a second pair of surrounds joins
/// the first at −3 dB (as libswresample has it), a height its own corner at −3 dB. Nothing is normalised: a fold may exceed full scale, and
/// ``Limiter`` follows.
package struct ChannelFold: Sendable, Equatable {
    /// By output channel: gains by input channel.
    package private(set) var rows: [[Float]]

    private static let half = 0.5.squareRoot()

    package init(from source: Speakers, to target: Speakers) {
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: source.count), count: target.count)
        for (input, speaker) in source.each.enumerated() {
            Self.send(speaker, gain: 1, from: source, to: target, depth: 0) { matrix[$0][input] += $1 }
        }
        rows = matrix.map { $0.map(Float.init) }
    }

    /// Whether every output channel is one of the inputs at full level, or nothing.
    var keepsLevels: Bool { rows.allSatisfy { $0.reduce(0) { $0 + abs($1) } <= 1 } }

    mutating func scale(input: Int, by gain: Float) {
        for row in rows.indices { rows[row][input] *= gain }
    }

    /// - Parameter depth: Ends chains of stand-ins whatever the arrangements.
    private static func send(_ speaker: Speakers, gain: Double, from source: Speakers, to target: Speakers, depth: Int, add: (Int, Double) -> Void) {
        if let channel = target.channel(of: speaker) { return add(channel, gain) }
        guard depth < 6 else { return }
        for (other, factor) in standIns(for: speaker, source: source, target: target) {
            send(other, gain: gain * factor, from: source, to: target, depth: depth + 1, add: add)
        }
    }

    private static func standIns(for speaker: Speakers, source: Speakers, target: Speakers) -> [(Speakers, Double)] {
        switch speaker {
        case .centre: return [(.frontLeft, half), (.frontRight, half)]
        case .frontLeft, .frontRight: return target.contains(.centre) ? [(.centre, half)] : []
        case .backLeft: return surround(.sideLeft, .frontLeft, source: source, target: target)
        case .backRight: return surround(.sideRight, .frontRight, source: source, target: target)
        case .sideLeft: return surround(.backLeft, .frontLeft, source: source, target: target)
        case .sideRight: return surround(.backRight, .frontRight, source: source, target: target)
        case .backCentre:
            let pair: (Speakers, Speakers) = target.contains(.sideLeft) && !target.contains(.backLeft) ? (.sideLeft, .sideRight) : (.backLeft, .backRight)
            // To the fronts by way of the backs, each step at its own −3 dB.
            return target.isDisjoint(with: .sides.union(.backs)) ? [(.frontLeft, 0.5), (.frontRight, 0.5)] : [(pair.0, half), (pair.1, half)]
        case .leftOfCentre, .wideLeft, .stereoLeft, .bottomFrontLeft: return [(.frontLeft, 1)]
        case .rightOfCentre, .wideRight, .stereoRight, .bottomFrontRight: return [(.frontRight, 1)]
        case .topFrontLeft: return [(.frontLeft, half)]
        case .topFrontRight: return [(.frontRight, half)]
        case .topFrontCentre, .bottomFrontCentre: return [(.centre, half)]
        case .topSideLeft, .directLeft: return [(.sideLeft, half)]
        case .topSideRight, .directRight: return [(.sideRight, half)]
        case .topBackLeft: return [(.backLeft, half)]
        case .topBackRight: return [(.backRight, half)]
        case .topBackCentre: return [(.backCentre, half)]
        case .topCentre: return [(.frontLeft, 0.5), (.frontRight, 0.5)]
        // The low-frequency channels: what they hold is not needed below them (BS.775-3, Annex 7).
        default: return []
        }
    }

    private static func surround(_ other: Speakers, _ front: Speakers, source: Speakers, target: Speakers) -> [(Speakers, Double)] {
        guard target.contains(other) else { return [(front, half)] }
        return [(other, source.contains(other) ? half : 1)]
    }

    /// Mixes samples, channel by channel.
    package func mix(_ planes: [[Float]]) -> [[Float]] {
        let count = planes.first?.count ?? 0
        return rows.map { row in
            let used = row.indices.filter { row[$0] != 0 }
            if let only = used.first, used.count == 1, row[only] == 1 { return planes[only] }
            return [Float](unsafeUninitializedCapacity: count) { output, filled in
                output.update(repeating: 0)
                for input in used {
                    let gain = row[input]
                    planes[input].withUnsafeBufferPointer { plane in
                        var i = 0
                        while i < count {
                            output[i] += gain * plane[i]
                            i += 1
                        }
                    }
                }
                filled = count
            }
        }
    }
}
