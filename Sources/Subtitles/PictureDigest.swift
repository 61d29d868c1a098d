/// Tells pictures apart by what they look like, wherever and whenever they are shown: 128 bits of their size, colours and indices.
package struct PictureDigest: Sendable, Hashable {
    private let low: UInt64
    private let high: UInt64

    package init(_ object: PictureObject) {
        var (a, b): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
        func mix(_ value: UInt64) {
            a = (a ^ value) &* 0x9FB2_1C65_1E98_DF25
            a ^= a >> 32
            b = (b &+ value) &* 0xD6E8_FEB8_6659_FD93
            b ^= b >> 29
        }
        mix(UInt64(truncatingIfNeeded: object.width) << 32 | UInt64(truncatingIfNeeded: object.height))
        for colour in object.palette { mix(UInt64(colour)) }
        object.pixels.withUnsafeBytes { bytes in
            var at = 0
            while at + 8 <= bytes.count {
                mix(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                at += 8
            }
            while at < bytes.count {
                mix(UInt64(bytes[at]))
                at += 1
            }
        }
        (low, high) = (a, b)
    }
}
