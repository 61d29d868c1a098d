internal import BitsAndTime

/// AAC's program_config_element (ISO/IEC 14496-3:2019 §4.4.1.1), which tells of channels that no channelConfiguration names.
struct ProgramConfigElement {
    /// Single elements count one, pairs two, LFE elements one; coupling and associated data none.
    let channelCount: Int
    /// From element_instance_tag up to the alignment before the comment, which stands at another bit in every place the element is put.
    private let fields: BitReader
    private let fieldBitCount: Int
    private let comment: [UInt8]

    /// - Parameter bits: Behind the element's id, where it has one. Aligns to the start of the reader's input.
    init(parsing bits: inout BitReader) throws(ParseError) {
        fields = bits
        let start = bits.bitOffset
        try bits.skipBits(10)
        var elements: [Int] = []
        for width in [4, 4, 4, 2, 3, 4] { elements.append(Int(try bits.readBits(width))) }
        if try bits.readFlag() { try bits.skipBits(4) }
        if try bits.readFlag() { try bits.skipBits(4) }
        if try bits.readFlag() { try bits.skipBits(3) }
        var channels = elements[3]
        for group in 0..<3 {
            for _ in 0..<elements[group] {
                channels += try bits.readFlag() ? 2 : 1
                try bits.skipBits(4)
            }
        }
        try bits.skipBits(elements[3] * 4 + elements[4] * 4 + elements[5] * 5)
        channelCount = channels
        fieldBitCount = bits.bitOffset - start
        try bits.alignToByte()
        var comment: [UInt8] = []
        for _ in 0..<(try bits.readBits(8)) { comment.append(UInt8(try bits.readBits(8))) }
        self.comment = comment
    }

    /// Writes the element, aligned to the start of `output`.
    func write(to output: inout BitWriter) throws(ParseError) {
        var source = fields
        var left = fieldBitCount
        while left > 0 {
            let taken = min(left, 64)
            output.writeBits(try source.readBits(taken), taken)
            left -= taken
        }
        output.alignToByte()
        output.writeBits(comment.count, 8)
        for byte in comment { output.writeBits(byte, 8) }
    }
}
