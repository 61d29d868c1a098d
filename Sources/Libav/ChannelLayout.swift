internal import CFFmpeg

/// The speakers a track has, as libav's mask of them (the bits are WAVEFORMATEXTENSIBLE's). Channels lie in the order of their bits.
package struct ChannelLayout: Sendable, Hashable, CustomStringConvertible {
    package let mask: UInt64

    package init(mask: UInt64) { self.mask = mask }

    /// The usual layout of so many channels; nil when there is none.
    package init?(channels: Int) {
        let mask = prism_default_layout_mask(Int32(clamping: channels))
        guard mask != 0 else { return nil }
        self.mask = mask
    }

    package static let lowFrequency: UInt64 = 0x8
    package static let backLeft: UInt64 = 0x10, backRight: UInt64 = 0x20, backCentre: UInt64 = 0x100
    package static let sideLeft: UInt64 = 0x200, sideRight: UInt64 = 0x400

    package static let mono = ChannelLayout(mask: 0x4)
    package static let stereo = ChannelLayout(mask: 0x3)
    /// 5.0 and 5.1 with their surrounds at the sides, as Dolby has them.
    package static let surround50 = ChannelLayout(mask: 0x607)
    package static let surround51 = ChannelLayout(mask: 0x60F)

    package var channelCount: Int { mask.nonzeroBitCount }
    package var hasLowFrequency: Bool { mask & Self.lowFrequency != 0 }

    /// libav's name ("5.1(side)").
    package var description: String {
        var layout = AVChannelLayout()
        defer { av_channel_layout_uninit(&layout) }
        guard av_channel_layout_from_mask(&layout, mask) >= 0 else { return "none" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, av_channel_layout_describe(&layout, base, buffer.count) > 0 else { return "none" }
            return String(cString: base)
        }
    }
}
