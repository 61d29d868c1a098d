package import BitsAndTime

/// `hvcC`: HEVCDecoderConfigurationRecord (ISO/IEC 14496-15:2022 §8.3.3.1).
package struct HEVCDecoderConfigurationRecord: Sendable, Equatable {
    package struct ParameterSetArray: Sendable, Equatable {
        /// Every set of this type is here; none comes in the samples.
        package var isComplete: Bool
        package var nalUnitType: UInt8
        package var units: [[UInt8]]

        package init(isComplete: Bool, nalUnitType: UInt8, units: [[UInt8]]) {
            self.isComplete = isComplete
            self.nalUnitType = nalUnitType
            self.units = units
        }
    }

    package var profileTierLevel: HEVCProfileTierLevel
    package var minSpatialSegmentationIDC: UInt16
    package var parallelismType: UInt8
    package var chromaFormatIDC: UInt8
    package var bitDepthLumaMinus8: UInt8
    package var bitDepthChromaMinus8: UInt8
    package var averageFrameRate: UInt16
    package var constantFrameRate: UInt8
    package var temporalLayerCount: UInt8
    package var isTemporalIDNested: Bool
    /// Bytes of each NAL unit length: 1, 2 or 4.
    package var lengthSize: Int
    package var arrays: [ParameterSetArray]

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "hvcC")
        guard try reader.readUInt8() == 1 else { throw ParseError(.unsupported, at: 0, in: "hvcC", "configurationVersion is not 1") }
        let profile = try reader.readUInt8()
        profileTierLevel = HEVCProfileTierLevel(
            profileSpace: profile >> 6, isHighTier: profile & 0x20 != 0, profileIDC: profile & 0x1F, compatibilityFlags: try reader.readUInt32(),
            constraintFlags: try reader.readInteger(byteCount: 6), levelIDC: try reader.readUInt8())
        minSpatialSegmentationIDC = try reader.readUInt16() & 0xFFF
        parallelismType = try reader.readUInt8() & 3
        chromaFormatIDC = try reader.readUInt8() & 3
        bitDepthLumaMinus8 = try reader.readUInt8() & 7
        bitDepthChromaMinus8 = try reader.readUInt8() & 7
        averageFrameRate = try reader.readUInt16()
        let packed = try reader.readUInt8()
        constantFrameRate = packed >> 6
        temporalLayerCount = packed >> 3 & 7
        isTemporalIDNested = packed & 4 != 0
        lengthSize = Int(packed & 3) + 1
        guard lengthSize != 3 else { throw ParseError(.malformed, at: 21, in: "hvcC", "lengthSizeMinusOne is 2") }
        arrays = []
        for _ in 0..<(try reader.readUInt8()) {
            let header = try reader.readUInt8()
            var array = ParameterSetArray(isComplete: header & 0x80 != 0, nalUnitType: header & 0x3F, units: [])
            for _ in 0..<(try reader.readUInt16()) { array.units.append(Array(try reader.readBytes(Int(try reader.readUInt16())))) }
            arrays.append(array)
        }
        // Bytes behind the arrays are padding some writers leave; they mean nothing and are not kept.
    }

    /// Most sets of one type a record is made of. A stream has 16 VPS, 16 SPS and 64 PPS at once (ITU-T H.265 §7.4.3), but may change them.
    private static let setLimit = 255

    /// Makes a record from parameter set NAL units in any order; other units are passed over.
    ///
    /// - Throws: `ParseError` when one of VPS, SPS and PPS is missing or the first SPS cannot be read.
    package init(parameterSets units: some Sequence<ArraySlice<UInt8>>) throws(ParseError) {
        var sets: [UInt8: [[UInt8]]] = [:]
        for unit in units where unit.count > 2 {
            let type = unit[unit.startIndex] >> 1 & 0x3F
            let layer = (unit[unit.startIndex] & 1) << 5 | unit[unit.startIndex + 1] >> 3
            guard (32...34).contains(type), layer == 0, sets[type]?.count ?? 0 < Self.setLimit else { continue }
            if sets[type]?.contains(where: { $0.elementsEqual(unit) }) != true { sets[type, default: []].append(Array(unit)) }
        }
        guard let vps = sets[32], let sps = sets[33], let pps = sets[34], let first = sps.first else {
            throw ParseError(.malformed, at: 0, in: "hvcC", "VPS, SPS and PPS are needed, found types \(sets.keys.sorted())")
        }
        let set = try HEVCSequenceParameterSet(parsing: first[...])
        guard set.bitDepthLuma <= 15, set.bitDepthChroma <= 15 else {
            throw ParseError(.unsupported, at: 0, in: "hvcC", "the record has no room for samples of 16 bits")
        }
        let all = [set] + Self.readable(sps.dropFirst()) { unit throws(ParseError) in try HEVCSequenceParameterSet(parsing: unit) }
        profileTierLevel = all.dropFirst().reduce(set.profileTierLevel) { $0.covering($1.profileTierLevel) }
        minSpatialSegmentationIDC = all.map(\.minSpatialSegmentationIDC).min() ?? 0
        // With no promise of segments there is nothing to decode in parallel by: 0 then, as it is where the picture sets disagree.
        let parallelism = Set(Self.readable(pps[...]) { unit throws(ParseError) in try HEVCPictureParameterSet(parsing: unit) }.map(\.parallelismType))
        parallelismType = minSpatialSegmentationIDC > 0 && parallelism.count == 1 ? parallelism.first ?? 0 : 0
        chromaFormatIDC = UInt8(truncatingIfNeeded: set.chromaFormatIDC & 3)
        bitDepthLumaMinus8 = UInt8(set.bitDepthLuma - 8)
        bitDepthChromaMinus8 = UInt8(set.bitDepthChroma - 8)
        averageFrameRate = 0
        constantFrameRate = 0
        temporalLayerCount = UInt8((all.map(\.maxSubLayersMinus1).max() ?? 0) + 1)
        isTemporalIDNested = all.allSatisfy(\.isTemporalIDNested)
        lengthSize = 4
        arrays = [(32, vps), (33, sps), (34, pps)].map { ParameterSetArray(isComplete: true, nalUnitType: $0.0, units: $0.1) }
    }

    private static func readable<Set>(_ units: ArraySlice<[UInt8]>, _ parse: (ArraySlice<UInt8>) throws(ParseError) -> Set) -> [Set] {
        units.compactMap { unit in do throws(ParseError) { return try parse(unit[...]) } catch { return nil } }
    }

    /// Makes a record from Annex B extradata, or from any stretch of a stream that shows its parameter sets.
    package init(annexB extradata: ArraySlice<UInt8>) throws(ParseError) {
        try self.init(parameterSets: NALUnitSequence.wholeUnits(in: extradata, framing: .annexB).units)
    }

    /// Whether VPS, SPS and PPS are all here, as a sample entry named `hvc1` promises.
    package var hasParameterSets: Bool { [32, 33, 34].allSatisfy { type in arrays.contains { $0.nalUnitType == type && !$0.units.isEmpty } } }

    /// The record as `hvc1` promises it: VPS, SPS and PPS in that order, complete, and nothing else. libx265 adds an SEI array,
    /// on which an Apple TV builds no track at all.
    package func normalized() -> HEVCDecoderConfigurationRecord {
        var record = self
        record.arrays = ([32, 33, 34] as [UInt8]).compactMap { type in
            let units = arrays.filter { $0.nalUnitType == type }.flatMap(\.units)
            return units.isEmpty ? nil : ParameterSetArray(isComplete: true, nalUnitType: type, units: units)
        }
        return record
    }

    /// The record with its own fields made what its parameter sets say, where a writer left them at something else (zeros, mostly): CODECS is
    /// read off them. Fields that only the record has stay.
    package func agreeingWithItsSets() -> HEVCDecoderConfigurationRecord {
        guard let set = firstSequenceParameterSet else { return self }
        let isAgreed =
            profileTierLevel.profileIDC == set.profileTierLevel.profileIDC && profileTierLevel.levelIDC >= set.profileTierLevel.levelIDC
            && UInt32(chromaFormatIDC) == set.chromaFormatIDC && Int(bitDepthLumaMinus8) + 8 == set.bitDepthLuma
            && Int(bitDepthChromaMinus8) + 8 == set.bitDepthChroma
        guard !isAgreed else { return self }
        do throws(ParseError) {
            var record = try HEVCDecoderConfigurationRecord(parameterSets: arrays.flatMap(\.units).map { $0[...] })
            (record.averageFrameRate, record.constantFrameRate, record.lengthSize) = (averageFrameRate, constantFrameRate, lengthSize)
            return record
        } catch {
            return self
        }
    }

    /// The record's bytes; reserved bits are written as ones.
    package func serialized() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(1 as UInt8)
        writer.write(profileTierLevel.profileSpace << 6 | (profileTierLevel.isHighTier ? 0x20 : 0) | profileTierLevel.profileIDC)
        writer.write(profileTierLevel.compatibilityFlags)
        writer.writeInteger(profileTierLevel.constraintFlags, byteCount: 6)
        writer.write(profileTierLevel.levelIDC)
        writer.write(0xF000 | minSpatialSegmentationIDC)
        writer.write(0xFC | parallelismType)
        writer.write(0xFC | chromaFormatIDC)
        writer.write(0xF8 | bitDepthLumaMinus8)
        writer.write(0xF8 | bitDepthChromaMinus8)
        writer.write(averageFrameRate)
        writer.write(constantFrameRate << 6 | temporalLayerCount << 3 | (isTemporalIDNested ? 4 : 0) | UInt8(lengthSize - 1))
        writer.write(UInt8(clamping: arrays.count))
        for array in arrays.prefix(255) {
            writer.write((array.isComplete ? 0x80 : 0) | array.nalUnitType)
            writer.write(UInt16(clamping: array.units.count))
            for unit in array.units.prefix(0xFFFF) {
                writer.write(UInt16(clamping: unit.count))
                writer.write(contentsOf: unit.prefix(0xFFFF))
            }
        }
        return writer.bytes
    }

    /// Those that can be read.
    package var pictureParameterSets: [HEVCPictureParameterSet] {
        let units = arrays.filter { $0.nalUnitType == 34 }.flatMap(\.units)
        return Self.readable(units[...]) { unit throws(ParseError) in try HEVCPictureParameterSet(parsing: unit) }
    }

    package var firstSequenceParameterSet: HEVCSequenceParameterSet? {
        arrays.first { $0.nalUnitType == 33 }?.units.first.flatMap { unit in
            do throws(ParseError) { return try HEVCSequenceParameterSet(parsing: unit[...]) } catch { return nil }
        }
    }
}
