internal import BitsAndTime

/// An AAC frame that decodes to silence: every channel present, none with a spectrum (ISO/IEC 14496-3:2019 §4.4.2).
package enum AACSilence {
    private enum Element { case single, pair, lowFrequency }

    /// Elements of each channelConfiguration (Table 1.19).
    private static let elements: [[Element]] = [
        [], [.single], [.pair], [.single, .pair], [.single, .pair, .single], [.single, .pair, .pair], [.single, .pair, .pair, .lowFrequency],
        [.single, .pair, .pair, .pair, .lowFrequency],
    ]

    /// A raw_data_block for this configuration; `nil` where its channels are described elsewhere or its core is not AAC LC.
    package static func frame(for config: AudioSpecificConfig) -> [UInt8]? {
        guard config.audioObjectType == 2, (1...7).contains(config.channelConfiguration) else { return nil }
        var bits = BitWriter()
        var tags: [UInt64] = [0, 0, 0]
        for element in elements[config.channelConfiguration] {
            switch element {
            case .single: writeElement(id: 0, tag: &tags[0], isPair: false, into: &bits)
            case .pair: writeElement(id: 1, tag: &tags[1], isPair: true, into: &bits)
            case .lowFrequency: writeElement(id: 3, tag: &tags[2], isPair: false, into: &bits)
            }
        }
        bits.writeBits(7 as UInt64, 3)  // ID_END
        return bits.bytes
    }

    private static func writeElement(id: UInt64, tag: inout UInt64, isPair: Bool, into bits: inout BitWriter) {
        bits.writeBits(id, 3)
        bits.writeBits(tag, 4)
        tag += 1
        if isPair {
            bits.writeFlag(true)  // common_window
            writeWindow(into: &bits)
            bits.writeBits(0 as UInt64, 2)  // ms_mask_present
        }
        for _ in 0..<(isPair ? 2 : 1) {
            bits.writeBits(0 as UInt64, 8)  // global_gain
            if !isPair { writeWindow(into: &bits) }
            bits.writeBits(0 as UInt64, 3)  // pulse, tns, gain control: none
        }
    }

    /// ics_info: one long window of the sine shape, max_sfb 0, no prediction.
    private static func writeWindow(into bits: inout BitWriter) { bits.writeBits(0 as UInt64, 11) }
}
