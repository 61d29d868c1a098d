package import BitsAndTime

/// Finds the keyframes of a transport stream's picture that open segments, reading only around where each is due.
///
/// The next opening is the first keyframe at or after a time known in advance (``SegmentOpenings/target``). The scan jumps, by the bit rate
/// so far and then by interpolation between what it has seen, to a place whose decode time lies before that time by at least
/// ``reordering``, and reads forward from there to the keyframe. Pictures before that place were decoded before it, and so are shown before
/// the target: none of them can be the one. The result is what reading everything would give, for every stream whose decode times rise; one
/// seen to fall, or to leap, has no plan.
package struct TransportScanner {
    /// The longest a picture may wait between decoding and its display and still be found: 16 pictures at 24 a second fit.
    package static let reordering: Int64 = 67_500
    /// How much further before the target than need be the scan is content to start.
    private static let landing: Int64 = 67_500
    /// Steps of the clock beyond these are jumps, and not gaps or reordering.
    private static let forwardLimit: Int64 = 10 * TransportClock.ticksPerSecond
    private static let backwardLimit: Int64 = 3 * TransportClock.ticksPerSecond / 2
    private static let landings = 24
    private static let tailByteCount: Int64 = 512 << 10
    private static let soundTailByteCount: Int64 = 2 << 20
    private static let largestTail: Int64 = 128 << 20

    package let openings: [SegmentOpenings.Opening]
    /// Where the longest of the streams ends, in 90 kHz ticks on the openings' axis.
    package let end: Int64

    /// - Parameters:
    ///   - pid: of the picture.
    ///   - others: streams that may last longer.
    ///   - rule: in 90 kHz ticks.
    ///   - jumps: false reads everything; for tests.
    ///   - isSettled: whether the front of a unit shows all that `isKeyframe` looks at.
    ///   - isKeyframe: whether decoding can begin at a unit, by its front.
    /// - Throws: ``KeyframeScanError``, and what the window's reads throw.
    package init(
        window: ByteWindow, pid: UInt16, others: [UInt16], rule: SegmentOpenings, jumps: Bool = true,
        isSettled: @escaping (ArraySlice<UInt8>) -> Bool, isKeyframe: @escaping (ArraySlice<UInt8>) -> Bool
    ) throws {
        guard let framing = try PacketFraming.detect(window) else { throw KeyframeScanError.layout("no transport packets") }
        let reader = UnitReader(window: window, framing: framing)
        var openings = rule
        let file = window.byteCount

        var position = framing.firstSync
        var clock: Int64?
        /// Shown and decoded, unwrapped, of a unit that follows `clock`.
        func times(_ unit: UnitReader.Unit) throws -> (shown: Int64, decoded: Int64)? {
            guard let raw = unit.header.presentationTime, let coded = unit.header.decodeTime else { return nil }
            let decoded = TransportClock.unwrapped(coded, near: clock ?? coded)
            if let clock, decoded - clock > Self.forwardLimit || decoded - clock < -Self.backwardLimit { throw KeyframeScanError.clockJumps(at: decoded) }
            return (TransportClock.unwrapped(raw, near: decoded), decoded)
        }

        /// Average bytes a tick, for the first guess.
        var rate: Double?
        while true {
            // Forward to the next opening.
            var found: UnitReader.Unit?
            while found == nil, let unit = try reader.next(pid, from: &position, before: file) {
                guard let (shown, decoded) = try times(unit) else { continue }
                clock = decoded
                try openings.check(reached: shown)
                if let target = openings.target, shown < target { continue }
                let front = try reader.front(of: unit, pid: pid, isEnough: isSettled)
                if isKeyframe(front), try openings.consider(time: shown, position: unit.position) { found = unit }
            }
            guard let found, let target = openings.target, let now = clock else { break }
            guard jumps else { continue }

            // To a place before the one after.
            let goal = target - Self.reordering
            var low = (position: found.position, time: now)
            var high: (position: Int64, time: Int64)?
            if let previous = openings.openings.dropLast().last, let last = openings.openings.last, last.time > previous.time {
                rate = Double(last.position - previous.position) / Double(last.time - previous.time)
            }
            for attempt in 0..<Self.landings {
                guard goal - low.time > Self.landing else { break }
                let limit = high?.position ?? file
                guard limit - low.position > Int64(ByteWindow.largestRead) else { break }
                let wanted = Double(goal - Self.landing / 2 - low.time)
                var guess: Double
                if let high, attempt % 4 != 3 {
                    guess = Double(low.position) + Double(high.position - low.position) * max(0, min(1, wanted / Double(max(1, high.time - low.time))))
                } else if high == nil, let rate {
                    guess = Double(low.position) + rate * wanted
                } else {
                    guess = Double(low.position) + Double(limit - low.position) / (high == nil ? 64 : 2)
                }
                guess = min(max(guess, Double(low.position) + Double(framing.stride)), Double(limit - 1))
                guard var place = try reader.packetBoundary(near: Int64(guess)), place > low.position, place < limit else {
                    high = (Int64(guess) > low.position ? Int64(guess) : limit, high?.time ?? goal + Self.forwardLimit)
                    continue
                }
                let from = place
                var landed: (position: Int64, time: Int64)?
                while landed == nil, let unit = try reader.next(pid, from: &place, before: limit) {
                    guard let coded = unit.header.decodeTime else { continue }
                    landed = (unit.position, TransportClock.unwrapped(coded, near: low.time))
                }
                guard let landed else {
                    // Nothing starts between here and there: what is wanted lies before.
                    high = (from, high?.time ?? goal + Self.forwardLimit)
                    continue
                }
                if landed.time < low.time - Self.backwardLimit { throw KeyframeScanError.clockJumps(at: landed.time) }
                if landed.time <= goal {
                    if landed.time > low.time {
                        rate = Double(landed.position - low.position) / Double(landed.time - low.time)
                    }
                    low = (landed.position, max(landed.time, low.time))
                } else {
                    high = (from, landed.time)
                }
            }
            // Behind the opening itself where no better place was found.
            position = low.position == found.position ? found.position + Int64(framing.stride) : low.position
            clock = low.time
        }
        guard let last = openings.openings.last else { throw KeyframeScanError.noKeyframe }
        self.openings = openings.openings
        var latest = try Self.pictureEnd(reader, pid: pid, framing: framing, file: file, near: last.time)
        for other in others {
            latest = max(latest, try Self.end(reader, pid: other, from: max(framing.firstSync, file - Self.soundTailByteCount), file: file, near: last.time)?.end ?? latest)
        }
        end = max(latest, last.time + 1)
        try openings.check(reached: end)
    }

    /// Where the picture ends: by enough of its last units for none before them to be shown later.
    private static func pictureEnd(_ reader: UnitReader, pid: UInt16, framing: PacketFraming, file: Int64, near: Int64) throws -> Int64 {
        var size = tailByteCount
        while true {
            let from = max(framing.firstSync, file - size)
            let found = try end(reader, pid: pid, from: from, file: file, near: near)
            if let found, found.span >= reordering { return found.end }
            if from == framing.firstSync || size >= largestTail { return found?.end ?? near }
            size *= 4
        }
    }

    /// Where a stream ends by its units from `from` on, and how much decode time they take; its last lasts as long as they usually do.
    private static func end(_ reader: UnitReader, pid: UInt16, from: Int64, file: Int64, near: Int64) throws -> (end: Int64, span: Int64)? {
        guard var place = try reader.packetBoundary(near: from) else { return nil }
        var times: [Int64] = []
        var decoded: (first: Int64, last: Int64)?
        while let unit = try reader.next(pid, from: &place, before: file) {
            guard let raw = unit.header.presentationTime, let coded = unit.header.decodeTime else { continue }
            times.append(TransportClock.unwrapped(raw, near: times.last ?? near))
            let time = TransportClock.unwrapped(coded, near: times[times.count - 1])
            decoded = (decoded?.first ?? time, time)
        }
        let distinct = Set(times).sorted()
        guard let last = distinct.last, let decoded else { return nil }
        let steps = zip(distinct, distinct.dropFirst()).map { $1 - $0 }.sorted()
        return (last + (steps.isEmpty ? 0 : steps[steps.count / 2]), decoded.last - decoded.first)
    }
}
