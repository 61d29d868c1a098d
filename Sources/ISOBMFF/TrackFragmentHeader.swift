internal import BitsAndTime

/// `tfhd` as read, with the defaults of `trex` where it names none (ISO/IEC 14496-12:2022 §8.8.7).
struct TrackFragmentHeader {
    enum Flags {
        static let baseDataOffset: UInt32 = 0x1
        static let sampleDescriptionIndex: UInt32 = 0x2
        static let duration: UInt32 = 0x8
        static let size: UInt32 = 0x10
        static let flags: UInt32 = 0x20
        static let defaultBaseIsMoof: UInt32 = 0x2_0000
    }

    let trackID: UInt32
    let isBaseMoof: Bool
    /// Where the data lies in the file, if that is said.
    let baseDataOffset: UInt64?
    let durationTicks: UInt32
    let byteCount: UInt32
    let flags: UInt32

    init(parsing box: Box, defaults: [UInt32: TrackExtends]) throws(ParseError) {
        var reader = box.reader()
        let said = try reader.readFullBoxHeader().flags
        trackID = try reader.readUInt32()
        isBaseMoof = said & Flags.defaultBaseIsMoof != 0
        baseDataOffset = said & Flags.baseDataOffset != 0 ? try reader.readUInt64() : nil
        if said & Flags.sampleDescriptionIndex != 0 { try reader.skip(4) }
        let otherwise = defaults[trackID]
        durationTicks = said & Flags.duration != 0 ? try reader.readUInt32() : otherwise?.durationTicks ?? 0
        byteCount = said & Flags.size != 0 ? try reader.readUInt32() : otherwise?.byteCount ?? 0
        flags = said & Flags.flags != 0 ? try reader.readUInt32() : otherwise?.flags.rawValue ?? 0
    }

    /// `tfdt` of this `traf`, in either version; `nil` where there is none.
    static func baseMediaDecodeTime(in boxes: [Box]) throws(ParseError) -> UInt64? {
        guard let box = boxes.first("tfdt") else { return nil }
        var reader = box.reader()
        return try reader.readFullBoxHeader().version == 1 ? try reader.readUInt64() : UInt64(try reader.readUInt32())
    }
}
