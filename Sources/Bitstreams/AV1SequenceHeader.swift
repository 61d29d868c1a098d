package import BitsAndTime

/// An AV1 sequence header, as far as `av1C` and CODECS need it (AV1 specification §5.5).
package struct AV1SequenceHeader: Sendable, Equatable {
    package var profile: UInt8
    package var level: UInt8
    package var isHighTier: Bool
    package var bitDepth: Int
    package var isMonochrome: Bool
    package var subsamplingX: Bool
    package var subsamplingY: Bool
    package var chromaSamplePosition: UInt8
    /// ISO/IEC 23091-2; 2 for unspecified.
    package var primaries: UInt8 = 2
    package var transfer: UInt8 = 2
    package var matrix: UInt8 = 2
    package var isFullRange: Bool
    /// Largest luma size of a frame.
    package var width: Int
    package var height: Int
    package var isStillPicture: Bool
    /// reduced_still_picture_header: frame headers leave out their types.
    package var hasReducedStillPictureHeader: Bool
    package var timing: Timing?

    /// timing_info (§5.5.3).
    package struct Timing: Sendable, Equatable {
        package var unitsInDisplayTick: UInt32
        package var timeScale: UInt32
        /// Ticks of one picture where all last alike.
        package var ticksPerPicture: UInt64?
    }

    /// - Parameter payload: The OBU behind its header.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(payload, context: "sequence_header_obu")
        profile = UInt8(try bits.readBits(3))
        isStillPicture = try bits.readFlag()
        let reduced = try bits.readFlag()
        hasReducedStillPictureHeader = reduced
        isHighTier = false
        level = 0
        if reduced {
            level = UInt8(try bits.readBits(5))
        } else {
            var hasDecoderModel = false
            var delayLength = 0
            if try bits.readFlag() {
                let (units, scale) = (try bits.readUInt(32), try bits.readUInt(32))
                let ticks = try bits.readFlag() ? try Self.readUVLC(&bits) + 1 : nil
                if units > 0, scale > 0 { timing = Timing(unitsInDisplayTick: units, timeScale: scale, ticksPerPicture: ticks) }
                hasDecoderModel = try bits.readFlag()
                if hasDecoderModel {
                    delayLength = Int(try bits.readBits(5)) + 1
                    try bits.skipBits(42)
                }
            }
            let hasInitialDelay = try bits.readFlag()
            for i in 0...Int(try bits.readBits(5)) {
                try bits.skipBits(12)
                let pointLevel = UInt8(try bits.readBits(5))
                let tier = pointLevel > 7 ? try bits.readFlag() : false
                if hasDecoderModel, try bits.readFlag() { try bits.skipBits(delayLength * 2 + 1) }
                if hasInitialDelay, try bits.readFlag() { try bits.skipBits(4) }
                if i == 0 { (level, isHighTier) = (pointLevel, tier) }
            }
        }
        let (widthBits, heightBits) = (Int(try bits.readBits(4)) + 1, Int(try bits.readBits(4)) + 1)
        width = Int(try bits.readBits(widthBits)) + 1
        height = Int(try bits.readBits(heightBits)) + 1
        if !reduced, try bits.readFlag() { try bits.skipBits(7) }  // frame ids
        try bits.skipBits(3)
        if !reduced {
            try bits.skipBits(4)
            let hasOrderHint = try bits.readFlag()
            if hasOrderHint { try bits.skipBits(2) }
            let choosesScreenContent = try bits.readFlag()
            let screenContent: UInt64 = choosesScreenContent ? 2 : try bits.readBits(1)
            if screenContent > 0, try !bits.readFlag() { try bits.skipBits(1) }
            if hasOrderHint { try bits.skipBits(3) }
        }
        try bits.skipBits(3)  // superres, cdef, restoration
        (bitDepth, isMonochrome, subsamplingX, subsamplingY, chromaSamplePosition, isFullRange) = (8, false, true, true, 0, false)
        try parseColourConfig(&bits)
    }

    private mutating func parseColourConfig(_ bits: inout BitReader) throws(ParseError) {
        let highBitDepth = try bits.readFlag()
        bitDepth = highBitDepth ? 10 : 8
        if profile == 2, highBitDepth, try bits.readFlag() { bitDepth = 12 }
        isMonochrome = profile == 1 ? false : try bits.readFlag()
        if try bits.readFlag() {
            primaries = UInt8(try bits.readBits(8))
            transfer = UInt8(try bits.readBits(8))
            matrix = UInt8(try bits.readBits(8))
        }
        if isMonochrome {
            isFullRange = try bits.readFlag()
            return
        }
        if primaries == 1, transfer == 13, matrix == 0 {  // sRGB
            (isFullRange, subsamplingX, subsamplingY) = (true, false, false)
            return
        }
        isFullRange = try bits.readFlag()
        switch profile {
        case 0: (subsamplingX, subsamplingY) = (true, true)
        case 1: (subsamplingX, subsamplingY) = (false, false)
        default:
            subsamplingX = bitDepth == 12 ? try bits.readFlag() : true
            subsamplingY = bitDepth == 12 && subsamplingX ? try bits.readFlag() : false
        }
        if subsamplingX, subsamplingY { chromaSamplePosition = UInt8(try bits.readBits(2)) }
    }

    private static func readUVLC(_ bits: inout BitReader) throws(ParseError) -> UInt64 {
        var zeros = 0
        while try !bits.readFlag() {
            zeros += 1
            guard zeros < 32 else { return UInt64(UInt32.max) }
        }
        return try bits.readBits(zeros) + (1 << UInt64(zeros)) - 1
    }
}
