package import BitsAndTime

/// `av1C` (AV1 Codec ISO Media File Format Binding v1.2.0 §2.3).
package struct AV1CodecConfigurationRecord: Sendable, Equatable {
    package var profile: UInt8
    package var level: UInt8
    package var isHighTier: Bool
    package var isHighBitDepth: Bool
    package var isTwelveBit: Bool
    package var isMonochrome: Bool
    package var subsamplingX: Bool
    package var subsamplingY: Bool
    package var chromaSamplePosition: UInt8
    /// The fourth byte: initial presentation delay.
    package var presentationDelay: UInt8
    /// configOBUs: the sequence header, as in the stream.
    package var configurationUnits: [UInt8]

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "av1C")
        guard try reader.readUInt8() == 0x81 else { throw ParseError(.unsupported, at: 0, in: "av1C", "marker and version are not 1") }
        let second = try reader.readUInt8()
        let third = try reader.readUInt8()
        profile = second >> 5
        level = second & 0x1F
        isHighTier = third & 0x80 != 0
        isHighBitDepth = third & 0x40 != 0
        isTwelveBit = third & 0x20 != 0
        isMonochrome = third & 0x10 != 0
        subsamplingX = third & 8 != 0
        subsamplingY = third & 4 != 0
        chromaSamplePosition = third & 3
        presentationDelay = try reader.readUInt8()
        configurationUnits = Array(reader.readRemaining())
    }

    /// Makes a record from the sequence header in a sample.
    package init(sequenceHeaderIn sample: [UInt8]) throws(ParseError) {
        let units = sample.withUnsafeBytes { AV1OpenBitstreamUnit.units(in: $0).units }
        guard let unit = units.first(where: { $0.type == AV1OpenBitstreamUnit.UnitType.sequenceHeader }) else {
            throw ParseError(.malformed, at: 0, in: "av1C", "no sequence header in the sample")
        }
        let header = try AV1SequenceHeader(parsing: sample[unit.payload])
        profile = header.profile
        level = header.level
        isHighTier = header.isHighTier
        isHighBitDepth = header.bitDepth > 8
        isTwelveBit = header.bitDepth == 12
        isMonochrome = header.isMonochrome
        subsamplingX = header.subsamplingX
        subsamplingY = header.subsamplingY
        chromaSamplePosition = header.chromaSamplePosition
        presentationDelay = 0
        configurationUnits = unit.bytesWithSize(in: sample)
    }

    /// The record as a sample entry should have it: its fields are the sequence header's where it has one, and configOBUs hold that header,
    /// the metadata behind it, and nothing else (AV1-ISOBMFF §2.3.4), each with its size.
    ///
    /// - Parameter sample: A key frame's temporal unit, for a record without a sequence header.
    package func normalized(harvestingFrom sample: [UInt8]? = nil) -> AV1CodecConfigurationRecord {
        var record = self
        var source = configurationUnits
        do throws(ParseError) {
            if sequenceHeader == nil, let sample {
                record = try AV1CodecConfigurationRecord(sequenceHeaderIn: sample)
                source = record.configurationUnits + configurationUnits
            } else if sequenceHeader != nil {
                record = try AV1CodecConfigurationRecord(sequenceHeaderIn: configurationUnits)
            }
        } catch {
            record = self
        }
        record.presentationDelay = presentationDelay
        let units = source.withUnsafeBytes { AV1OpenBitstreamUnit.units(in: $0).units }
        let types = [AV1OpenBitstreamUnit.UnitType.sequenceHeader, AV1OpenBitstreamUnit.UnitType.metadata]
        record.configurationUnits = types.flatMap { type in units.filter { $0.type == type }.flatMap { $0.bytesWithSize(in: source) } }
        return record
    }

    package func serialized() -> [UInt8] {
        let third: UInt8 =
            (isHighTier ? 0x80 : 0) | (isHighBitDepth ? 0x40 : 0) | (isTwelveBit ? 0x20 : 0) | (isMonochrome ? 0x10 : 0) | (subsamplingX ? 8 : 0)
            | (subsamplingY ? 4 : 0) | chromaSamplePosition
        return [0x81, profile << 5 | level, third, presentationDelay] + configurationUnits
    }

    package var bitDepth: Int { isTwelveBit ? 12 : isHighBitDepth ? 10 : 8 }

    package var sequenceHeader: AV1SequenceHeader? {
        let units = configurationUnits.withUnsafeBytes { AV1OpenBitstreamUnit.units(in: $0).units }
        return units.first { $0.type == AV1OpenBitstreamUnit.UnitType.sequenceHeader }.flatMap { unit in
            do throws(ParseError) { return try AV1SequenceHeader(parsing: configurationUnits[unit.payload]) } catch { return nil }
        }
    }
}
