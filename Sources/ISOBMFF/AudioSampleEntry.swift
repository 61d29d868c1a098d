package import BitsAndTime

/// An audio sample entry: `mp4a`, `ac-3`, `ec-3`, `fLaC`, `alac` (ISO/IEC 14496-12:2022 §12.2.3).
package struct AudioSampleEntry: Sendable, Equatable {
    package var format: FourCharacterCode
    package var channelCount: UInt16
    package var sampleSizeBits: UInt16
    /// Hz. The field holds whole values below 65,536; a higher rate is written as 0 and stands in the codec's own box, as FLAC's
    /// and ALAC's mappings ask.
    package var sampleRate: UInt32
    package var configurationBoxes: [RawBox]
    package var bitRate: BitRateBox?

    package init(
        format: FourCharacterCode, channelCount: UInt16, sampleSizeBits: UInt16 = 16, sampleRate: UInt32, configurationBoxes: [RawBox],
        bitRate: BitRateBox? = nil
    ) {
        self.format = format
        self.channelCount = channelCount
        self.sampleSizeBits = sampleSizeBits
        self.sampleRate = sampleRate
        self.configurationBoxes = configurationBoxes
        self.bitRate = bitRate
    }

    package init(parsing box: Box) throws(ParseError) {
        format = box.type
        var reader = box.reader()
        try reader.skip(16)
        channelCount = try reader.readUInt16()
        sampleSizeBits = try reader.readUInt16()
        try reader.skip(4)
        sampleRate = try reader.readUInt32() >> 16
        configurationBoxes = []
        for child in try box.children(after: 28, context: "\(format)") {
            if child.type == "btrt" { bitRate = try BitRateBox(parsing: child) } else { configurationBoxes.append(RawBox(child)) }
        }
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox(format) { entry in
            entry.writeZeros(6)
            entry.write(1 as UInt16)  // data_reference_index
            entry.writeZeros(8)
            entry.write(channelCount)
            entry.write(sampleSizeBits)
            entry.writeZeros(4)
            entry.write(sampleRate > 0xFFFF ? 0 : sampleRate << 16)
            for box in configurationBoxes { box.serialize(into: &entry) }
            bitRate?.serialize(into: &entry)
        }
    }
}
