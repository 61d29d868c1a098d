/// rpu_data_crc32: the CRC of MPEG-2 systems (polynomial 04C11DB7, all ones at first, no reflection; ISO/IEC 13818-1:2019 Annex A).
package enum RPUChecksum {
    /// By byte, then what the same bytes come to with one, two and three zeros behind them: four bytes go in at once.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte) << 24) { remainder, _ in remainder << 1 ^ (remainder >> 31 == 1 ? 0x04C1_1DB7 : 0) }
        }
        for index in 256..<1024 {
            let before = tables[index - 256]
            tables.append(before << 8 ^ tables[Int(before >> 24)])
        }
        return tables
    }()

    /// - Parameter bytes: All of the unit between rpu_nal_prefix and the checksum.
    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            bytes.withUnsafeBytes { bytes in
                var remainder = UInt32.max
                let words = bytes.count / 4
                for index in 0..<words {
                    remainder ^= UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                    remainder =
                        tables[768 + Int(remainder >> 24)] ^ tables[512 + Int(remainder >> 16 & 0xFF)] ^ tables[256 + Int(remainder >> 8 & 0xFF)]
                        ^ tables[Int(remainder & 0xFF)]
                }
                for byte in bytes[(words * 4)...] { remainder = remainder << 8 ^ tables[Int(remainder >> 24 ^ UInt32(byte))] }
                return remainder
            }
        }
    }
}
