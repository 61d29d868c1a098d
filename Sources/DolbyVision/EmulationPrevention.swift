/// Emulation prevention of NAL units (ITU-T H.265 §7.4.2) as units of metadata have it.
enum EmulationPrevention {
    /// Takes out each 3 that follows two zeros.
    static func removed(from unit: ArraySlice<UInt8>) -> [UInt8] {
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

    /// `header` and, behind it, `unit` with a 3 before each byte of 0…3 that follows two zeros. Zeros at the very end stay alone: they are no
    /// part of the unit, and the next start code may follow them.
    static func inserted(into unit: [UInt8], header: (UInt8, UInt8)) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 2 + unit.count + unit.count / 2 + 1) { output, count in
            output[0] = header.0
            output[1] = header.1
            count = 2
            var zeros = 0
            for byte in unit {
                if zeros >= 2, byte <= 3 {
                    output[count] = 3
                    count += 1
                    zeros = 0
                }
                zeros = byte == 0 ? zeros + 1 : 0
                output[count] = byte
                count += 1
            }
        }
    }
}
