package import BitsAndTime

/// The major sync of an MLP or Dolby TrueHD access unit, as far as it says what the stream offers
/// (Dolby TrueHD (MLP) high-level bitstream description, §3 and §4).
package struct MLPMajorSync: Sendable, Equatable {
    /// format_sync F8726FBA, against MLP's F8726FBB.
    package var isTrueHD: Bool
    package var substreamCount: Int
    /// substream_info: which substreams the presentations are decoded from; its top bit announces the 16-channel one.
    package var substreamInfo: UInt8
    /// Channels and objects of the 16-channel presentation, 1…16; `nil` where there is none, or where it is not described.
    package var objectPresentationElementCount: Int?
    /// dyn_object_only: all of them are objects, but for an LFE channel.
    package var isDynamicObjectsOnly = false

    /// Dolby Atmos in TrueHD: a 16-channel presentation beside those for 2, 6 and 8 channels.
    package var hasObjectPresentation: Bool { isTrueHD && substreamInfo & 0x80 != 0 }

    private static let signature: UInt64 = 0xB752

    /// - Parameter accessUnit: From its first byte; the major sync begins four bytes on.
    /// - Throws: `ParseError.Kind.malformed` for an access unit without a major sync, as most are.
    package init(accessUnit: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(accessUnit, context: "major_sync_info")
        try bits.skipBits(32)  // check_nibble, access_unit_length, input_timing
        switch try bits.readBits(32) {
        case 0xF872_6FBA: isTrueHD = true
        case 0xF872_6FBB: isTrueHD = false
        default: throw ParseError(.malformed, at: 4, in: "major_sync_info", "no format_sync")
        }
        try bits.skipBits(32)  // format_info
        guard try bits.readBits(16) == Self.signature else { throw ParseError(.malformed, at: 12, in: "major_sync_info", "no signature") }
        try bits.skipBits(16 + 16 + 16)  // flags, reserved, peak_data_rate
        substreamCount = Int(try bits.readBits(4))
        try bits.skipBits(4)  // reserved, extended_substream_info
        substreamInfo = UInt8(try bits.readBits(8))
        guard substreamCount > 0 else { throw ParseError(.malformed, at: 20, in: "major_sync_info", "no substream") }
        guard hasObjectPresentation else { return }
        try bits.skipBits(63)  // channel_meaning
        guard try bits.readFlag() else { return }  // extra_channel_meaning_present
        // In words of 16 bits, these four included, less one: the fields read here need two.
        guard try bits.readBits(4) >= 1 else { return }
        try bits.skipBits(5 + 6)  // 16ch_dialogue_norm, 16ch_mix_level
        let count = Int(try bits.readBits(5)) + 1
        guard count <= 16 else { return }
        objectPresentationElementCount = count
        isDynamicObjectsOnly = try bits.readFlag()
    }
}
