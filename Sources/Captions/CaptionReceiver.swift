internal import BitsAndTime
internal import TimedText

/// Decodes all channels of the triplets it is given, from nothing: a receiver that was switched on at the first of them.
struct CaptionReceiver: Sendable {
    private var fields: [CEA608Field]
    private var assembler = DTVCCPacketAssembler()
    private var services: [Int: CEA708Service] = [:]
    private let isWide: Bool
    private let memory: MediaTime?
    /// Times of what comes never go back: what comes late counts as of now.
    private(set) var now: MediaTime?

    /// - Parameter memory: Rows that were written longer before a cue begins are not shown in it; `nil`: all are.
    init(isWide: Bool = true, memory: MediaTime? = nil) {
        (self.isWide, self.memory) = (isWide, memory)
        fields = [CEA608Field(isSecond: false, memory: memory), CEA608Field(isSecond: true, memory: memory)]
    }

    mutating func take(_ triplet: CaptionTriplet, at time: MediaTime) -> [Caption] {
        let time = max(now ?? time, time)
        var captions = advance(to: time)
        guard triplet.isValid else { return captions }
        if triplet.isLine21 {
            let index = Int(triplet.kind.rawValue)
            captions += fields[index].take(triplet.first, triplet.second, at: time).map { Self.caption(field: index, $0) }
            return captions
        }
        for packet in assembler.take(triplet) {
            if packet.followsGap { for number in services.keys { services[number]?.noteGap() } }
            for block in packet.blocks {
                captions += services[block.service, default: CEA708Service(isWide: isWide, memory: memory)].take(block.bytes, at: time)
                    .map { Caption(channel: .cea708(block.service), cue: $0) }
            }
        }
        return captions
    }

    /// Ends what nothing has ended by then.
    mutating func advance(to time: MediaTime) -> [Caption] {
        if let now, time <= now { return [] }
        now = time
        var captions = fields.indices.flatMap { i in fields[i].advance(to: time).map { Self.caption(field: i, $0) } }
        for number in services.keys.sorted() { captions += services[number]?.advance(to: time).map { Caption(channel: .cea708(number), cue: $0) } ?? [] }
        return captions
    }

    /// - Parameter time: The end of the stream, where it is known.
    mutating func flush(at time: MediaTime?) -> [Caption] {
        var captions = time.map { advance(to: $0) } ?? []
        captions += fields.indices.flatMap { i in fields[i].flush(at: time).map { Self.caption(field: i, $0) } }
        for number in services.keys.sorted() { captions += services[number]?.flush(at: time).map { Caption(channel: .cea708(number), cue: $0) } ?? [] }
        return captions
    }

    /// When each caption began that is shown and has no end yet.
    var openSince: [MediaTime] {
        fields.flatMap { $0.channels.compactMap(\.openSince) } + services.values.flatMap(\.openSince)
    }

    /// Pairs with wrong parity, and damaged or missing DTVCC packets.
    var damagedCount: Int { fields.reduce(assembler.damagedCount) { $0 + $1.damagedCount } }

    /// The channels that text was written to.
    var channels: [CaptionChannel] {
        var found: [CaptionChannel] = []
        for (index, field) in fields.enumerated() {
            for (i, channel) in field.channels.enumerated() where channel.writtenCount > 0 || (i == 0 && field.strayCount > 0) {
                found.append(.cea608(index * 2 + i + 1))
            }
        }
        return found + services.keys.sorted().filter { services[$0]?.writtenCount ?? 0 > 0 }.map { .cea708($0) }
    }

    private static func caption(field: Int, _ found: (channel: Int, cue: TextCue)) -> Caption {
        Caption(channel: .cea608(field * 2 + found.channel + 1), cue: found.cue)
    }
}
