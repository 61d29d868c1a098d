/// rpu_data_crc32: the CRC of MPEG-2 systems (polynomial 04C11DB7, all ones at first, no reflection; ISO/IEC 13818-1:2019 Annex A).
package enum RPUChecksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { remainder, _ in remainder << 1 ^ (remainder >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }

    /// - Parameter bytes: All of the unit between rpu_nal_prefix and the checksum.
    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                bytes.reduce(UInt32.max) { $0 << 8 ^ table[Int($0 >> 24 ^ UInt32($1))] }
            }
        }
    }
}
