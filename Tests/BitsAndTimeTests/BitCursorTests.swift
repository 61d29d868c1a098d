import BitsAndTime
import Testing

@Suite struct BitCursorTests {
    @Test func whatIsWrittenIsReadBack() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<200 {
            var fields: [(UInt64, Int)] = []
            var writer = BitWriter()
            for _ in 0..<20 {
                let count = Int.random(in: 0...64, using: &random)
                let value = count == 64 ? UInt64.random(in: 0 ... .max, using: &random) : UInt64.random(in: 0..<(1 << UInt64(count)), using: &random)
                fields.append((value, count))
                writer.writeBits(value, count)
            }
            #expect(writer.bitCount == fields.reduce(0) { $0 + $1.1 })
            var reader = BitReader(writer.bytes)
            for (value, count) in fields { #expect(try reader.readBits(count) == value) }
        }
    }

    @Test(arguments: [0, 1, 2, 254, 255, 65535, UInt32.max - 1]) func expGolombRoundTrips(value: UInt32) throws {
        var writer = BitWriter()
        writer.writeUE(value)
        writer.writeSE(Int32(truncatingIfNeeded: value / 2))
        writer.writeSE(-Int32(truncatingIfNeeded: value / 2))
        var reader = BitReader(writer.bytes)
        #expect(try reader.readUE() == value)
        #expect(try reader.readSE() == Int32(value / 2))
        #expect(try reader.readSE() == -Int32(value / 2))
    }

    /// Wherever in a byte a value starts, and whether or not bytes follow that one might have read ahead into.
    @Test(arguments: 0..<8, [0, 1, 9]) func valuesStartAnywhere(offset: Int, bytesBehind: Int) throws {
        for count in 0...64 {
            var writer = BitWriter()
            writer.writeBits(0x55 as UInt64, offset)
            let value: UInt64 = 0xF0E1_D2C3_B4A5_9687
            writer.writeBits(value, count)
            writer.alignToByte()
            var reader = BitReader(writer.bytes + [UInt8](repeating: 0xFF, count: bytesBehind))
            try reader.skipBits(offset)
            #expect(try reader.readBits(count) == (count == 64 ? value : value & ((1 << UInt64(count)) - 1)))
        }
        for shift in 0..<32 {
            let value = (UInt32.max >> UInt32(shift)) - 1
            var writer = BitWriter()
            writer.writeBits(0x55 as UInt64, offset)
            writer.writeUE(value)
            let end = writer.bitCount
            var reader = BitReader(writer.bytes + [UInt8](repeating: 0, count: bytesBehind))
            try reader.skipBits(offset)
            #expect(try reader.readUE() == value)
            #expect(reader.bitOffset == end)
        }
    }

    @Test func readsPastTheEndThrowWithTheirPlace() {
        var bits = BitReader([0xFF], context: "sps")
        #expect(throws: ParseError.self) { _ = try bits.readBits(9) }
        var bytes = ByteReader([1, 2, 3], context: "moov")
        do throws(ParseError) {
            _ = try bytes.readUInt32()
            Issue.record("four bytes were read of three")
        } catch {
            #expect(error.kind == .truncated && error.context == "moov")
        }
        #expect(bytes.offset == 0)
        var zeros = BitReader([UInt8](repeating: 0, count: 16))
        #expect(throws: ParseError.self) { _ = try zeros.readUE() }
    }
}

/// SplitMix64: the same sequence in every run.
private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
