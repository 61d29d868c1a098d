internal import BitsAndTime
internal import Bitstreams
package import Libav

/// Brings each picture of a base layer together with the unit that a second stream carries for the same time (profile 7 in two tracks of a
/// file, or on two PIDs), converted for profile 8.1. Of that stream nothing else is served.
///
/// What a picture becomes follows from the two packets alone, so that a segment is the same however it comes to be produced: pictures wait for
/// theirs in decode order, and go without only when so many wait that none can come any more.
package struct EnhancementLayerJoin: Sendable {
    /// Pictures that wait at most: muxers keep streams that belong together a fraction of a second apart.
    private static let reach = 48
    /// Microseconds that the same time may differ by on clocks that tick differently: pictures lie far further apart.
    private static let tolerance: UInt64 = 1000
    /// Units kept for pictures that were not read yet.
    private static let unitReach = 96

    package let streamIndex: Int
    private let framing: @Sendable (UnsafeRawBufferPointer) -> NALUnitFraming
    private let layerTimeBase: TickBase
    private let baseTimeBase: TickBase
    /// How long the lengths in the base layer's samples are.
    private let lengthSize: Int
    private var filter = DolbyVisionFilter(converts: true)
    private var waiting: [VideoSample] = []
    private var units: [(time: Int64, unit: [UInt8])] = []
    private var released = 0

    /// Whether the first picture since the last reset went without its unit: it may lie before the place where reading began.
    private(set) package var lacksFirst = false
    package var counts: DolbyVisionFilter.Counts { filter.counts }

    package init(layer: StreamInfo, base: StreamInfo, baseFraming: SampleFraming) {
        streamIndex = layer.index
        framing = DolbyVisionSearch.framing(of: layer)
        layerTimeBase = TickBase(numerator: layer.timeBaseNumerator, denominator: layer.timeBaseDenominator)
        baseTimeBase = TickBase(numerator: base.timeBaseNumerator, denominator: base.timeBaseDenominator)
        if case .lengthPrefixed(let size) = baseFraming.servedFraming { lengthSize = size } else { lengthSize = 4 }
    }

    /// Forgets what waits: what comes next follows a seek.
    package mutating func reset() {
        waiting = []
        units = []
        released = 0
        lacksFirst = false
    }

    /// Takes a packet of the second stream.
    ///
    /// - Returns: The base layer's pictures that are whole now, in decode order.
    package mutating func take(layer packet: Packet) -> [VideoSample] {
        guard let pts = packet.pts, let unit = Self.unit(in: packet, framing: framing) else { return [] }
        if units.count >= Self.unitReach { units.removeFirst() }
        units.append((Self.key(pts, layerTimeBase), unit))
        return release()
    }

    /// Takes a picture of the base layer.
    package mutating func take(_ picture: VideoSample) -> [VideoSample] {
        waiting.append(picture)
        return release()
    }

    /// What still waits at the source's end.
    package mutating func finish() -> [VideoSample] {
        var pictures = release()
        pictures += waiting
        for _ in waiting { filter.countMissing() }
        waiting = []
        return pictures
    }

    private mutating func release() -> [VideoSample] {
        var pictures: [VideoSample] = []
        while let first = waiting.first {
            let time = Self.key(first.sourcePTS ?? first.pts, baseTimeBase)
            if let place = units.firstIndex(where: { ($0.time &- time).magnitude < Self.tolerance }) {
                pictures.append(joined(first, units.remove(at: place).unit))
            } else if waiting.count > Self.reach {
                filter.countMissing()
                if released == 0 { lacksFirst = true }
                pictures.append(first)
            } else {
                break
            }
            released += 1
            waiting.removeFirst()
        }
        return pictures
    }

    private mutating func joined(_ picture: VideoSample, _ unit: [UInt8]) -> VideoSample {
        guard let converted = filter.converted(unit, lengthSize: lengthSize) else { return picture }
        return picture.with(PartedPayload(picture.payload, followedBy: converted))
    }

    /// Microseconds.
    private static func key(_ ticks: Int64, _ base: TickBase) -> Int64 { base.ticks(ticks, at: 1_000_000) }

    /// Whether a packet of the second stream is whole as far as it matters.
    package func isWhole(_ packet: Packet) -> Bool { Self.unit(in: packet, framing: framing) != nil }

    private static func unit(in packet: Packet, framing: (UnsafeRawBufferPointer) -> NALUnitFraming) -> [UInt8]? {
        packet.withUnsafeBytes { bytes in
            NALUnitSequence.units(in: bytes, framing: framing(bytes)).ranges.last { HEVCUnitType(bytes, $0) == .referenceProcessingUnit }.map { Array(bytes[$0]) }
        }
    }
}

extension VideoSample {
    /// The same picture with other bytes.
    func with(_ payload: any SamplePayload) -> VideoSample {
        VideoSample(
            pts: pts, timescale: timescale, sourcePTS: sourcePTS, sourceDTS: sourceDTS, durationTicks: durationTicks, isSync: isSync, isHidden: isHidden,
            payload: payload, orderSource: orderSource, change: change)
    }
}
