package import BitsAndTime

/// The start of a VP9 frame's uncompressed header, which says all that a player has to know before it decodes (VP9 Bitstream & Decoding Process
/// Specification v0.6 §6.2).
package struct VP9FrameHeader: Sendable, Equatable {
    /// What a key frame says of its pictures (§6.2, color_config and frame_size).
    package struct KeyFrame: Sendable, Equatable {
        package var bitDepth: Int
        /// color_space: 0 unknown, 1 BT.601, 2 BT.709, 3 SMPTE 170M, 4 SMPTE 240M, 5 BT.2020, 7 RGB.
        package var colourSpace: Int
        package var isFullRange: Bool
        package var subsamplingX: Bool
        package var subsamplingY: Bool
        package var width: Int
        package var height: Int

        package init(bitDepth: Int, colourSpace: Int, isFullRange: Bool, subsamplingX: Bool, subsamplingY: Bool, width: Int, height: Int) {
            self.bitDepth = bitDepth
            self.colourSpace = colourSpace
            self.isFullRange = isFullRange
            self.subsamplingX = subsamplingX
            self.subsamplingY = subsamplingY
            self.width = width
            self.height = height
        }
    }

    package var profile: Int
    /// The packet shows a frame decoded before and holds none.
    package var showsExisting: Bool
    package var isShown: Bool
    /// `nil` for any but a key frame.
    package var keyFrame: KeyFrame?

    /// Of the first frame of a packet, which is a superframe's first, too (Annex B: its index stands at the end).
    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        // Sixteen bytes hold the longest of them.
        var bits = BitReader(bytes.prefix(16), context: "VP9 frame header")
        guard try bits.readBits(2) == 2 else { throw ParseError(.malformed, at: 0, in: bits.context, "no frame marker") }
        profile = Int(try bits.readBits(1))
        profile |= Int(try bits.readBits(1)) << 1
        if profile == 3, try bits.readFlag() { throw ParseError(.unsupported, at: 0, in: bits.context, "a profile after 3") }
        showsExisting = try bits.readFlag()
        isShown = showsExisting
        guard !showsExisting else { return }
        let isKey = try !bits.readFlag()
        isShown = try bits.readFlag()
        try bits.skipBits(1)  // error_resilient_mode
        guard isKey else { return }
        guard try bits.readBits(24) == 0x49_8342 else { throw ParseError(.malformed, at: 1, in: bits.context, "no sync code") }
        var key = KeyFrame(bitDepth: 8, colourSpace: 0, isFullRange: false, subsamplingX: true, subsamplingY: true, width: 0, height: 0)
        if profile >= 2 { key.bitDepth = try bits.readFlag() ? 12 : 10 }
        key.colourSpace = Int(try bits.readBits(3))
        if key.colourSpace == 7 {
            key.isFullRange = true
            (key.subsamplingX, key.subsamplingY) = (false, false)
            if profile & 1 == 1 { try bits.skipBits(1) }
        } else {
            key.isFullRange = try bits.readFlag()
            if profile & 1 == 1 {
                key.subsamplingX = try bits.readFlag()
                key.subsamplingY = try bits.readFlag()
                try bits.skipBits(1)
            }
        }
        key.width = Int(try bits.readBits(16)) + 1
        key.height = Int(try bits.readBits(16)) + 1
        keyFrame = key
    }

    /// Whether decoding can begin here: the packet begins with a key frame, shown or the first of a superframe.
    package static func isRandomAccess(_ sample: UnsafeRawBufferPointer) -> Bool {
        do throws(ParseError) { return try VP9FrameHeader(parsing: Array(sample.prefix(16))[...]).keyFrame != nil } catch { return false }
    }
}
