/// The payload of a NAL unit with and without emulation-prevention bytes (ITU-T H.264 §7.4.1, H.265 §7.4.2).
package enum RBSP {
    /// Takes out each 3 that follows two zeros.
    package static func removingEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: unit.count) { output, count in
            var zeros = 0
            for byte in unit {
                if zeros >= 2, byte == 3 {
                    zeros = 0
                    continue
                }
                zeros = byte == 0 ? zeros + 1 : 0
                output[count] = byte
                count += 1
            }
        }
    }

    /// Puts a 3 before each byte of 0…3 that follows two zeros, and behind two zeros (cabac_zero_words) at the very end.
    ///
    /// A payload ends with its stop bit or with cabac_zero_words: a single zero at the end is none, and stays.
    ///
    /// - Parameters:
    ///   - header: What stands before the payload as it is.
    ///   - protectsEnd: Whether two zeros at the end are the unit's own, and get their 3.
    package static func insertingEmulationPrevention(_ payload: ArraySlice<UInt8>, header: [UInt8] = [], protectsEnd: Bool = true) -> [UInt8] {
        // One 3 for two bytes at most.
        [UInt8](unsafeUninitializedCapacity: header.count + payload.count + payload.count / 2 + 1) { output, count in
            for byte in header {
                output[count] = byte
                count += 1
            }
            var zeros = 0
            func append(_ byte: UInt8) {
                output[count] = byte
                count += 1
            }
            for byte in payload {
                if zeros >= 2, byte <= 3 {
                    append(3)
                    zeros = 0
                }
                zeros = byte == 0 ? zeros + 1 : 0
                append(byte)
            }
            if zeros >= 2, protectsEnd { append(3) }
        }
    }
}
