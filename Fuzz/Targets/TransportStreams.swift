internal import BitsAndTime
internal import MPEGTS

/// A stream's keyframes, as it is and with stuffing between its packets, so that there is something to jump over; the bare input as a packet
/// and as the front of a unit.
@Sendable func fuzzTransport(_ input: [UInt8]) {
    input.withUnsafeBytes { bytes in
        if let packet = TransportPacket(bytes) { law("a payload lies in its packet", packet.payload.lowerBound >= 4 && packet.payload.upperBound <= TransportPacket.byteCount) }
    }
    if let header = PESHeader(input) {
        for time in [header.presentationTime, header.decodeTime].compactMap({ $0 }) { law("times have 33 bits", time >= 0 && time < TransportClock.period) }
        law("a header has a length", header.byteCount >= 9 && header.byteCount <= 264)
    }
    let seconds = input.prefix(16).reduce(Int64(0)) { $0 << 4 ^ Int64($1) }
    law("the nearest time reads the same", (TransportClock.unwrapped(5, near: seconds) &- 5) & (TransportClock.period - 1) == 0)

    let rule = SegmentOpenings(first: 7200, later: 14_400, largestGap: 900_000)
    for jumps in [true, false] {
        if let found = scan(ByteWindow(input), rule: rule, jumps: jumps) { check(found.openings, end: found.end, rule: rule, byteCount: input.count) }
    }
    // Steps of a second and more, for there to be reasons to jump.
    let far = SegmentOpenings(first: 180_000, later: 270_000, largestGap: 5_400_000)
    let packets = input.count / TransportPacket.byteCount
    let count = packets * spread * TransportPacket.byteCount
    if packets < 400, let found = scan(ByteWindow(spreading: input), rule: far, jumps: true) { check(found.openings, end: found.end, rule: far, byteCount: count) }
}

/// One packet in so many is the input's; the others are stuffing.
private let spread = 64
private let stuffing: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: TransportPacket.byteCount - 4)

private func scan(_ window: ByteWindow, rule: SegmentOpenings, jumps: Bool) -> TransportScanner? {
    try? TransportScanner(
        window: window, pid: 0x100, others: [0x101], rule: rule, jumps: jumps, isSettled: { $0.count > 8 }, isKeyframe: { $0.prefix(64).contains(0x65) })
}

extension ByteWindow {
    fileprivate convenience init(spreading input: [UInt8]) {
        let size = TransportPacket.byteCount
        self.init(byteCount: Int64(input.count / size * spread * size)) { offset, buffer in
            let (packet, from) = (Int(offset) / size, Int(offset) % size)
            guard packet < input.count / size * spread else { return 0 }
            // A packet of the input, or stuffing up to the next of them.
            let isOwn = packet % spread == 0
            var filled = 0
            for number in packet..<(isOwn ? packet + 1 : (packet / spread + 1) * spread) {
                let start = number == packet ? from : 0
                let taken = min(size - start, buffer.count - filled)
                if taken <= 0 { break }
                let source = isOwn ? input[(packet / spread * size + start)..<(packet / spread * size + start + taken)] : stuffing[start..<(start + taken)]
                source.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: $0) }
                filled += taken
            }
            return filled
        }
    }
}
