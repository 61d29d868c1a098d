package import BitsAndTime

/// The first fields of an H.264 slice header, readable without any parameter set (ITU-T H.264 §7.3.3).
package struct AVCSliceHeaderPrefix: Sendable, Equatable {
    package enum SliceType: UInt32, Sendable { case p = 0, b, i, sp, si }

    /// 0 in the first slice of a picture.
    package var firstMacroblock: UInt32
    package var sliceType: SliceType
    /// slice_type 5…9: every slice of this picture is of this type (Table 7-6).
    package var isTypeOfWholePicture: Bool
    package var pictureParameterSetID: UInt32

    /// Bytes of a NAL unit these fields end in at the latest: a header byte and three codes of at most five bytes, emulation prevention included.
    package static let byteLimit = 24

    /// - Parameter unit: The NAL unit or its first ``byteLimit`` bytes, header included; of type 1, 2 or 5.
    package init(parsing unit: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(RBSP.removingEmulationPrevention(unit.prefix(Self.byteLimit)), context: "slice_header")
        let type = try bits.readBits(8) & 0x1F
        guard type == 1 || type == 2 || type == 5 else { throw ParseError(.malformed, at: 0, in: "slice_header", "nal_unit_type \(type)") }
        firstMacroblock = try bits.readUE()
        let coded = try bits.readUE()
        guard coded <= 9, let sliceType = SliceType(rawValue: coded % 5) else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "slice_header", "slice_type \(coded)")
        }
        self.sliceType = sliceType
        isTypeOfWholePicture = coded >= 5
        pictureParameterSetID = try bits.readUE()
        guard pictureParameterSetID <= 255 else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "slice_header", "pic_parameter_set_id \(pictureParameterSetID)")
        }
    }

    package var isIntra: Bool { sliceType == .i || sliceType == .si }
}
