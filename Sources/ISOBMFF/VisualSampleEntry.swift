package import BitsAndTime

/// A video sample entry: `avc1`, `hvc1`, `av01`, `dvh1` (ISO/IEC 14496-12:2022 §12.1.3).
package struct VisualSampleEntry: Sendable, Equatable {
    package var format: FourCharacterCode
    /// Luma samples.
    package var width: UInt16
    package var height: UInt16
    /// Decoder configuration: `avcC`, `hvcC`, `av1C`, `dvcC`, and whatever else stood there.
    package var configurationBoxes: [RawBox]
    package var colour: ColourInformation?
    package var pixelAspectRatio: PixelAspectRatio?
    package var bitRate: BitRateBox?
    package var masteringDisplay: MasteringDisplay?
    package var contentLight: ContentLightLevel?

    package init(
        format: FourCharacterCode, width: UInt16, height: UInt16, configurationBoxes: [RawBox], colour: ColourInformation? = nil,
        pixelAspectRatio: PixelAspectRatio? = nil, bitRate: BitRateBox? = nil, masteringDisplay: MasteringDisplay? = nil,
        contentLight: ContentLightLevel? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.configurationBoxes = configurationBoxes
        self.colour = colour
        self.pixelAspectRatio = pixelAspectRatio
        self.bitRate = bitRate
        self.masteringDisplay = masteringDisplay
        self.contentLight = contentLight
    }

    /// Bytes before the first child box.
    private static let fieldByteCount = 78

    package init(parsing box: Box) throws(ParseError) {
        format = box.type
        var reader = box.reader()
        try reader.skip(24)
        width = try reader.readUInt16()
        height = try reader.readUInt16()
        configurationBoxes = []
        for child in try box.children(after: Self.fieldByteCount, context: "\(format)") {
            switch child.type {
            case "colr":
                if let nclx = try ColourInformation(parsing: child) { colour = nclx } else { configurationBoxes.append(RawBox(child)) }
            case "pasp": pixelAspectRatio = try PixelAspectRatio(parsing: child)
            case "btrt": bitRate = try BitRateBox(parsing: child)
            // Only help for the display: one of another size is no reason to refuse the film and is kept as it is. A second one is not:
            // it would be written before the first, and count in its place.
            case "mdcv" where child.payload.count == MasteringDisplay.byteCount:
                if masteringDisplay == nil { masteringDisplay = try MasteringDisplay(parsing: child) }
            case "clli" where child.payload.count == ContentLightLevel.byteCount:
                if contentLight == nil { contentLight = try ContentLightLevel(parsing: child) }
            default: configurationBoxes.append(RawBox(child))
            }
        }
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox(format) { entry in
            entry.writeZeros(6)
            entry.write(1 as UInt16)  // data_reference_index
            entry.writeZeros(16)
            entry.write(width)
            entry.write(height)
            entry.write(0x0048_0000 as UInt32)  // 72 dpi, as the standard fixes it
            entry.write(0x0048_0000 as UInt32)
            entry.writeZeros(4)
            entry.write(1 as UInt16)  // frame_count
            entry.writeZeros(32)  // compressorname
            entry.write(0x0018 as UInt16)  // depth
            entry.write(-1 as Int16)
            for box in configurationBoxes { box.serialize(into: &entry) }
            colour?.serialize(into: &entry)
            masteringDisplay?.serialize(into: &entry)
            contentLight?.serialize(into: &entry)
            pixelAspectRatio?.serialize(into: &entry)
            bitRate?.serialize(into: &entry)
        }
    }
}
