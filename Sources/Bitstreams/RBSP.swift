/// The payload of a NAL unit with and without emulation-prevention bytes (ITU-T H.264 §7.4.1, H.265 §7.4.2).
package enum RBSP {
    /// Takes out each 3 that follows two zeros.
    package static func removingEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            output.append(byte)
        }
        return output
    }

    /// Puts a 3 before each byte of 0…3 that follows two zeros, and behind two zeros (cabac_zero_words) at the very end.
    ///
    /// A payload ends with its stop bit or with cabac_zero_words: a single zero at the end is none, and stays.
    package static func insertingEmulationPrevention(_ payload: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(payload.count + payload.count / 64 + 1)
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                output.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            output.append(byte)
        }
        if zeros >= 2 { output.append(3) }
        return output
    }
}
