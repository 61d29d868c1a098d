internal import BitsAndTime
package import Libav

/// Pictures a second, as the packets read at open show it: what a rate is held against that the container does not state. A telephone's encoder
/// writes 60 into the bitstream's timing and delivers 31, and libavformat's guess is the rate on whose grid all times lie.
package enum MeasuredFrameRate {
    /// Whether the container states no rate that pictures can come at.
    ///
    /// - Parameter head: Pictures read so far: no two of them as near each other as a stated rate has them speak against it.
    package static func isNeeded(for stream: StreamInfo, head: [Packet]) -> Bool {
        guard let rate = stream.averageFrameRate, rate.numerator / rate.denominator <= 480 else { return true }
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let times = head.filter { !$0.isDiscard }.compactMap(\.pts).sorted()
        guard times.count >= 3, let nearest = zip(times, times.dropFirst()).map({ $1 &- $0 }).min() else { return false }
        return base.time(nearest).seconds * Double(rate.numerator) / Double(rate.denominator) > 1.6
    }

    /// Fewer pictures tell nothing.
    static let minimumPictures = 8

    /// - Returns: Pictures and the seconds they take, as a ratio; `nil` where the pictures have no times or are too few.
    static func rate(of head: [Packet], timeBase: TickBase) -> (numerator: Int32, denominator: Int32)? {
        let times = head.filter { !$0.isDiscard }.compactMap(\.pts).sorted()
        // The last ones read may lack pictures that are decoded later and shown between them.
        let settled = times.dropLast(min(4, times.count / 4))
        guard settled.count >= minimumPictures, let first = settled.first, let last = settled.last, last > first else { return nil }
        let seconds = Double(last &- first) * Double(timeBase.numerator) / Double(timeBase.denominator)
        let rate = Double(settled.count - 1) / seconds
        guard rate.isFinite, rate > 0.01, rate <= 480 else { return nil }
        return (Int32((rate * 1000).rounded()), 1000)
    }
}

extension TrackAnalyzer.Copyable {
    /// The same track, its rate measured where it is only guessed at and the pictures come at another.
    func timed(by head: [Packet], of stream: StreamInfo) -> Self {
        guard case .video(var picture) = description.media else { return self }
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        guard let measured = MeasuredFrameRate.rate(of: head, timeBase: base) else { return self }
        let ratio = picture.frameRate.map { Double($0.numerator) / Double($0.denominator) / (Double(measured.numerator) / 1000) } ?? 0
        // What the container states is its author's word, until the pictures come at quite another.
        guard !(picture.frameRateSource == .container ? 0...1.6 : 0.97...1.03).contains(ratio) else { return self }
        picture.frameRate = measured
        picture.frameRateSource = .measured
        var described = description
        described.media = .video(picture)
        return Self(description: described, framing: framing)
    }
}
