import BitsAndTime
import MPEGTS
import TestSupport

/// Transport streams made packet by packet: one picture track, one sound track, stuffing.
struct TransportFixture {
    static let video: UInt16 = 0x100
    static let audio: UInt16 = 0x101

    struct Picture {
        var shown: Int64
        var decoded: Int64
        var isKey: Bool
        var byteCount: Int
    }

    private(set) var bytes: [UInt8] = []
    private var counters: [UInt16: UInt8] = [:]
    let stride: Int

    init(stride: Int = 188) { self.stride = stride }

    static func time(_ ticks: Int64, prefix: UInt8) -> [UInt8] {
        let t = UInt64(bitPattern: ticks) & 0x1_FFFF_FFFF
        return [
            prefix << 4 | UInt8(t >> 30 & 7) << 1 | 1, UInt8(t >> 22 & 0xFF), UInt8(t >> 15 & 0x7F) << 1 | 1, UInt8(t >> 7 & 0xFF), UInt8(t & 0x7F) << 1 | 1,
        ]
    }

    static func pes(_ id: UInt8, shown: Int64, decoded: Int64?, payload: [UInt8]) -> [UInt8] {
        let times = decoded.map { time(shown, prefix: 3) + time($0, prefix: 1) } ?? time(shown, prefix: 2)
        return [0, 0, 1, id, 0, 0, 0x80, decoded == nil ? 0x80 : 0xC0, UInt8(times.count)] + times + payload
    }

    mutating func append(_ pid: UInt16, unit: [UInt8], isRandomAccess: Bool = false) {
        var rest = unit[...]
        var isFirst = true
        while !rest.isEmpty {
            let room = isFirst && isRandomAccess ? 182 : 184
            let taken = min(room, rest.count)
            var packet: [UInt8] = [0x47, (isFirst ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), 0]
            let counter = counters[pid, default: 0]
            counters[pid] = (counter + 1) & 0x0F
            let padding = 184 - taken
            if padding > 0 {
                packet[3] = 0x30 | counter
                packet.append(UInt8(padding - 1))
                if padding > 1 { packet += [isFirst && isRandomAccess ? 0x40 : 0] + [UInt8](repeating: 0xFF, count: padding - 2) }
            } else {
                packet[3] = 0x10 | counter
            }
            packet += rest.prefix(taken)
            rest = rest.dropFirst(taken)
            isFirst = false
            if stride == 192 { bytes += [0, 0, 0, 0] }
            bytes += packet
            if stride == 204 { bytes += [UInt8](repeating: 0x99, count: 16) }
        }
    }

    mutating func append(stuffing count: Int) {
        for _ in 0..<count { append(0x1FFF, unit: [UInt8](repeating: 0xFF, count: 184)) }
    }

    mutating func append(_ picture: Picture) {
        let payload: [UInt8] = [0, 0, 1, 9, 0xF0, 0, 0, 1, picture.isKey ? 0x65 : 0x41] + [UInt8](repeating: 0x5A, count: picture.byteCount)
        append(Self.video, unit: Self.pes(0xE0, shown: picture.shown, decoded: picture.decoded, payload: payload))
        append(Self.audio, unit: Self.pes(0xC0, shown: picture.decoded, decoded: nil, payload: [UInt8](repeating: 0xFF, count: 90)))
    }

    /// A film of `seconds` at 25 pictures a second, with rates, groups and reordering that change as they like.
    static func wild(seed: UInt64, seconds: Int, stride: Int = 188, start: Int64 = 900_000) -> TransportFixture {
        var random = SeededRandom(seed: seed)
        var fixture = TransportFixture(stride: stride)
        var size = 500
        var untilKey = 0
        var leading = false
        for n in 0..<(seconds * 25) {
            if Int.random(in: 0..<60, using: &random) == 0 { size = [20, 200, 1500, 6000, 25_000].randomElement(using: &random) ?? 500 }
            let isKey = untilKey == 0
            if isKey { untilKey = [1, 5, 25, 50, 75, 250].randomElement(using: &random) ?? 25 }
            untilKey -= 1
            leading.toggle()
            let decoded = start + Int64(n) * 3600
            let delay = isKey ? Int64.random(in: 0...16, using: &random) : leading ? 1 : 3
            fixture.append(Picture(shown: decoded + delay * 3600, decoded: decoded, isKey: isKey, byteCount: isKey ? size * 4 : Int.random(in: 10...max(11, size), using: &random)))
            if Int.random(in: 0..<100, using: &random) == 0 { fixture.append(stuffing: Int.random(in: 1...3000, using: &random)) }
        }
        return fixture
    }

    static func isKey(_ front: ArraySlice<UInt8>) -> Bool { front.count > 8 && front[front.startIndex + 8] == 0x65 }

    static func scan(_ bytes: [UInt8], jumps: Bool = true) throws -> (scan: TransportScanner, window: ByteWindow) {
        let window = ByteWindow(bytes)
        let rule = SegmentOpenings(first: 180_000, later: 540_000, largestGap: 5_400_000)
        let scan = try TransportScanner(
            window: window, pid: video, others: [audio], rule: rule, jumps: jumps, isSettled: { $0.count > 8 }, isKeyframe: isKey)
        return (scan, window)
    }
}
