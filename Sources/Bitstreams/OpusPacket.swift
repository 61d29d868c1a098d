/// What an Opus packet says of its length: the table-of-contents byte, and the count of frames behind it (RFC 6716 §3.1, §3.2).
package enum OpusPacket {
    /// Samples at 48 kHz in the shortest frame; every packet holds a multiple of it.
    package static let quantum = 120
    /// Samples in 120 ms, the longest packet.
    package static let longest = 5760

    /// Samples at 48 kHz that a packet decodes to; `nil` for one that says nothing a decoder would take.
    package static func sampleCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let first = bytes.first else { return nil }
        let configuration = Int(first >> 3)
        let frame =
            switch configuration {
            // SILK: 10, 20, 40, 60 ms.
            case ..<12: [480, 960, 1920, 2880][configuration & 3]
            // Hybrid: 10, 20 ms.
            case ..<16: [480, 960][configuration & 1]
            // CELT: 2.5, 5, 10, 20 ms.
            default: [120, 240, 480, 960][configuration & 3]
            }
        let count: Int
        switch first & 3 {
        case 0: count = 1
        case 1, 2: count = 2
        default:
            guard bytes.count > 1 else { return nil }
            count = Int(bytes[1] & 0x3F)
        }
        return count > 0 && count * frame <= longest ? count * frame : nil
    }

    package static func sampleCount(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { sampleCount($0) } }
}
