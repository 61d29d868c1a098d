internal import BitsAndTime

/// A list of ext_dm_data_block(): levels of display management metadata, each with its own length (ETSI GS CCM 001 V1.1.1).
///
/// Payloads are kept as bytes, so that levels and lengths nobody here knows go through as they are; ``ExtensionMetadataLevel`` reads those known.
package struct ExtensionMetadataBlocks: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let level: UInt8
        let offset: Int
        let count: Int
    }

    private var entries: [Entry] = []
    private var bytes: [UInt8] = []

    package init() {}

    package var count: Int { entries.count }
    package var levels: [UInt8] { entries.map(\.level) }

    package mutating func append(level: UInt8, payload: [UInt8]) {
        entries.append(Entry(level: level, offset: bytes.count, count: payload.count))
        bytes += payload
    }

    package mutating func append(_ block: some ExtensionMetadataLevel) { append(level: type(of: block).level, payload: block.payload()) }

    package func payload(ofLevel level: UInt8) -> ArraySlice<UInt8>? {
        entries.first { $0.level == level }.map { bytes[$0.offset..<($0.offset + $0.count)] }
    }

    package func payloads(ofLevel level: UInt8) -> [ArraySlice<UInt8>] {
        entries.filter { $0.level == level }.map { bytes[$0.offset..<($0.offset + $0.count)] }
    }

    init(parsing bits: inout BitReader) throws(ParseError) {
        let count = try bits.readUE()
        guard count > 0 else { return }
        try bits.readAlignment()
        // A block takes nine bits at least.
        guard Int(count) <= bits.bitsRemaining / 9 else { throw ParseError(.truncated, at: bits.bitOffset / 8, in: "rpu.num_ext_blocks", "\(count)") }
        entries.reserveCapacity(Int(count))
        bytes.reserveCapacity(min(Int(count) * 12, bits.bitsRemaining / 8))
        for _ in 0..<count {
            let length = Int(try bits.readUE())
            let level = UInt8(try bits.readBits(8))
            guard length <= bits.bitsRemaining / 8 else {
                throw ParseError(.truncated, at: bits.bitOffset / 8, in: "rpu.ext_block_length", "\(length) bytes of level \(level)")
            }
            entries.append(Entry(level: level, offset: bytes.count, count: length))
            var left = length
            while left > 0 {
                let taken = min(left, 8)
                let value = try bits.readBits(taken * 8)
                for index in 1...taken { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64((taken - index) * 8))) }
                left -= taken
            }
            try check(level: level, length: length, at: bits.bitOffset / 8)
        }
    }

    func serialize(into bits: inout BitWriter) {
        bits.writeUE(UInt32(entries.count))
        if entries.isEmpty { return }
        bits.alignToByte()
        for entry in entries {
            bits.writeUE(UInt32(entry.count))
            bits.writeBits(entry.level, 8)
            for byte in bytes[entry.offset..<(entry.offset + entry.count)] { bits.writeBits(byte, 8) }
        }
    }

    /// Bits of each level by its lengths in bytes; between and beyond them lengths are of a later edition.
    private static func knownBits(level: UInt8, length: Int) -> Int? {
        switch (level, length) {
        case (1, 5), (3, 5): 36
        case (2, 11): 85
        case (5, 7): 52
        case (8, 12): 92
        default: nil
        }
    }

    /// Bytes without which a level lacks a field.
    private static func shortest(level: UInt8) -> Int {
        switch level {
        case 1, 3, 10: 5
        case 2: 11
        case 4: 3
        case 5: 7
        case 6: 8
        case 8: 10
        case 9: 1
        case 11: 4
        case 254: 2
        case 255: 6
        default: 0
        }
    }

    /// ext_dm_alignment_zero_bit of the block just read, which is last in ``bytes``.
    private func check(level: UInt8, length: Int, at place: Int) throws(ParseError) {
        guard length >= Self.shortest(level: level) else {
            throw ParseError(.malformed, at: place, in: "rpu.ext_block_length", "\(length) bytes of level \(level)")
        }
        guard let known = Self.knownBits(level: level, length: length), let last = bytes.last else { return }
        guard last & (0xFF >> UInt8(known % 8)) == 0 else {
            throw ParseError(.malformed, at: place, in: "rpu.ext_dm_alignment_zero_bit", "not zero in level \(level)")
        }
    }
}
