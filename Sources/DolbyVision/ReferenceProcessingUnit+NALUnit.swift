package import BitsAndTime

extension ReferenceProcessingUnit {
    /// nal_unit_type 62, layer 0, temporal id 0.
    private static let nalUnitHeader: [UInt8] = [0x7C, 0x01]
    private static let prefixes: [[UInt8]] = [[0x7C, 0x01, 0x19], [0x19], [0x01, 0x19], [0, 0, 1, 0x19], [0, 0, 0, 1, 0x19]]

    /// Reads an UNSPEC62 NAL unit of HEVC (`7C 01 19 …`), or the unit in it with `01` or a start code before it, or bare; emulation prevention
    /// in place.
    package init(parsing nalUnit: ArraySlice<UInt8>) throws(ParseError) {
        guard let prefix = Self.prefixes.first(where: { nalUnit.starts(with: $0) }) else {
            throw ParseError(.malformed, at: 0, in: "rpu", "starts like no unit: \(nalUnit.prefix(3).map { String($0, radix: 16) }.joined(separator: " "))")
        }
        let unit = RBSP.removingEmulationPrevention(nalUnit.dropFirst(prefix.count - 1))
        do throws(ParseError) { try self.init(parsingUnit: unit[...]) } catch { throw error.nested(in: "nal", base: prefix.count - 1) }
    }

    package init(parsing nalUnit: [UInt8]) throws(ParseError) { try self.init(parsing: nalUnit[...]) }

    /// An UNSPEC62 NAL unit, `7C 01 19 …`, without start code or length. Zeros at its very end stay alone: they are no part of the unit, and the
    /// next start code may follow them.
    package func hevcNALUnit() -> [UInt8] { RBSP.insertingEmulationPrevention(serialized()[...], header: Self.nalUnitHeader, protectsEnd: false) }
}
