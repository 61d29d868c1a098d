internal import BitsAndTime

/// vdr_dm_data_payload(): how the composed picture is mapped to a display (ETSI GS CCM 001 V1.1.1; SMPTE ST 2094-10:2016).
package struct DisplayManagementPayload: Sendable, Equatable {
    package var affectedMetadataID: UInt32
    package var currentMetadataID: UInt32
    /// Not 0 on the first picture of a scene.
    package var sceneRefresh: UInt32
    /// `nil` exactly when ``RPUDataHeader/displayManagementIsCompressed``.
    package var colour: SignalColour?
    /// Of content mapping 2.9: levels 1, 2, 4, 5, 6, 255.
    package var blocks: ExtensionMetadataBlocks
    /// Of content mapping 4.0: levels 3, 8, 9, 10, 11, 254. `nil` where the unit ends before them.
    package var version4Blocks: ExtensionMetadataBlocks?

    package init(
        affectedMetadataID: UInt32 = 0, currentMetadataID: UInt32 = 0, sceneRefresh: UInt32 = 0, colour: SignalColour?,
        blocks: ExtensionMetadataBlocks = ExtensionMetadataBlocks(), version4Blocks: ExtensionMetadataBlocks? = nil
    ) {
        self.affectedMetadataID = affectedMetadataID
        self.currentMetadataID = currentMetadataID
        self.sceneRefresh = sceneRefresh
        self.colour = colour
        self.blocks = blocks
        self.version4Blocks = version4Blocks
    }

    /// Less cannot hold a list of version 4.0: its shortest block, level 254, has 16 bits.
    private static let shortestVersion4 = 16

    init(parsing bits: inout BitReader, isCompressed: Bool) throws(ParseError) {
        affectedMetadataID = try bits.readUE()
        currentMetadataID = try bits.readUE()
        sceneRefresh = try bits.readUE()
        colour = isCompressed ? nil : try SignalColour(parsing: &bits)
        blocks = try ExtensionMetadataBlocks(parsing: &bits)
        version4Blocks = bits.bitsRemaining >= Self.shortestVersion4 ? try ExtensionMetadataBlocks(parsing: &bits) : nil
    }

    /// A colour that is missing where the header calls for one is written as BT.2020 with PQ.
    func serialize(into bits: inout BitWriter, isCompressed: Bool) {
        bits.writeUE(affectedMetadataID)
        bits.writeUE(currentMetadataID)
        bits.writeUE(sceneRefresh)
        if !isCompressed { (colour ?? .bt2020PQ).serialize(into: &bits) }
        blocks.serialize(into: &bits)
        version4Blocks?.serialize(into: &bits)
    }

    /// The first block of a level, wherever it stands.
    package func payload(ofLevel level: UInt8) -> ArraySlice<UInt8>? {
        blocks.payload(ofLevel: level) ?? version4Blocks?.payload(ofLevel: level)
    }

    /// All blocks of a level, in order.
    package func payloads(ofLevel level: UInt8) -> [ArraySlice<UInt8>] {
        blocks.payloads(ofLevel: level) + (version4Blocks?.payloads(ofLevel: level) ?? [])
    }
}
