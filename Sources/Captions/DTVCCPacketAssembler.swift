/// Puts DTVCC packets together from triplets and takes the service blocks out of them (CTA-708-E §5, §6).
struct DTVCCPacketAssembler: Sendable {
    struct Packet: Sendable, Hashable {
        struct ServiceBlock: Sendable, Hashable {
            /// 1…63.
            var service: Int
            var bytes: [UInt8]
        }

        var blocks: [ServiceBlock]
        /// Packets are missing before this one.
        var followsGap: Bool
    }

    /// Packets with less in them than they said, or that were not the successor of the one before.
    private(set) var damagedCount = 0
    private var bytes: [UInt8] = []
    private var lastSequence: UInt8?

    init() {}

    /// - Returns: A packet that is complete with this triplet; one that was begun and did not become so, with the blocks that did.
    mutating func take(_ triplet: CaptionTriplet) -> [Packet] {
        var packets: [Packet] = []
        guard triplet.isValid else { return packets }
        switch triplet.kind {
        case .dtvccStart:
            if let packet = finish() { packets.append(packet) }
            bytes = [triplet.first, triplet.second]
        case .dtvccData where !bytes.isEmpty: bytes += [triplet.first, triplet.second]
        default: return packets
        }
        if bytes.count >= size, let packet = finish() { packets.append(packet) }
        return packets
    }

    /// packet_size_code in bytes, the header's one included; 0 stands for the most.
    private var size: Int {
        let code = Int((bytes.first ?? 0) & 0x3F)
        return code == 0 ? 128 : code * 2
    }

    private mutating func finish() -> Packet? {
        guard let header = bytes.first else { return nil }
        defer { bytes = [] }
        let sequence = header >> 6
        let followsGap = lastSequence.map { ($0 + 1) & 3 != sequence } ?? false
        lastSequence = sequence
        let isWhole = bytes.count >= size
        if followsGap || !isWhole { damagedCount += 1 }
        return Packet(blocks: Self.blocks(bytes.prefix(size).dropFirst()), followsGap: followsGap)
    }

    /// The whole blocks up to a null one or the end.
    private static func blocks(_ bytes: ArraySlice<UInt8>) -> [Packet.ServiceBlock] {
        var blocks: [Packet.ServiceBlock] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            var service = Int(bytes[at] >> 5)
            let count = Int(bytes[at] & 0x1F)
            at += 1
            if service == 7, count > 0 {
                guard at < bytes.endIndex else { break }
                service = Int(bytes[at] & 0x3F)
                at += 1
                // extended_service_number below 7 is not allowed; its bytes are passed over.
                if service < 7 { service = 0 }
            }
            guard count > 0 || service > 0, count <= bytes.endIndex - at else { break }
            if service > 0, count > 0 { blocks.append(.init(service: service, bytes: Array(bytes[at..<(at + count)]))) }
            at += count
        }
        return blocks
    }
}
