package import BitsAndTime

/// `avcC`: AVCDecoderConfigurationRecord (ISO/IEC 14496-15:2022 §5.3.3.1).
package struct AVCDecoderConfigurationRecord: Sendable, Equatable {
    package var profileIndication: UInt8
    package var profileCompatibility: UInt8
    package var levelIndication: UInt8
    /// Bytes of each NAL unit length: 1, 2 or 4.
    package var lengthSize: Int
    package var sequenceParameterSets: [[UInt8]]
    package var pictureParameterSets: [[UInt8]]
    /// chroma format, bit depths and SPS extensions of the High profiles, and whatever else follows; as found.
    package var trailing: [UInt8]

    /// What a record of a High profile says behind its picture parameter sets.
    package struct HighProfileExtension: Sendable, Equatable {
        package var chromaFormatIDC: UInt8
        package var bitDepthLumaMinus8: UInt8
        package var bitDepthChromaMinus8: UInt8
        package var sequenceParameterSetExtensions: [[UInt8]]

        init(chromaFormatIDC: UInt8, bitDepthLumaMinus8: UInt8, bitDepthChromaMinus8: UInt8, sequenceParameterSetExtensions: [[UInt8]]) {
            self.chromaFormatIDC = chromaFormatIDC
            self.bitDepthLumaMinus8 = bitDepthLumaMinus8
            self.bitDepthChromaMinus8 = bitDepthChromaMinus8
            self.sequenceParameterSetExtensions = sequenceParameterSetExtensions
        }

        init(parsing bytes: [UInt8]) throws(ParseError) {
            var reader = ByteReader(bytes, context: "avcC")
            chromaFormatIDC = try reader.readUInt8() & 3
            bitDepthLumaMinus8 = try reader.readUInt8() & 7
            bitDepthChromaMinus8 = try reader.readUInt8() & 7
            sequenceParameterSetExtensions = try AVCDecoderConfigurationRecord.readSets(&reader, count: Int(try reader.readUInt8()))
        }

        func serialized() -> [UInt8] {
            var writer = ByteWriter()
            writer.write(contentsOf: [0xFC | chromaFormatIDC, 0xF8 | bitDepthLumaMinus8, 0xF8 | bitDepthChromaMinus8])
            AVCDecoderConfigurationRecord.writeSets(sequenceParameterSetExtensions, to: &writer)
            return writer.bytes
        }
    }

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "avcC")
        guard try reader.readUInt8() == 1 else { throw ParseError(.unsupported, at: 0, in: "avcC", "configurationVersion is not 1") }
        profileIndication = try reader.readUInt8()
        profileCompatibility = try reader.readUInt8()
        levelIndication = try reader.readUInt8()
        lengthSize = Int(try reader.readUInt8() & 3) + 1
        guard lengthSize != 3 else { throw ParseError(.malformed, at: 4, in: "avcC", "lengthSizeMinusOne is 2") }
        sequenceParameterSets = try Self.readSets(&reader, count: Int(try reader.readUInt8() & 0x1F))
        pictureParameterSets = try Self.readSets(&reader, count: Int(try reader.readUInt8()))
        trailing = Array(reader.readRemaining())
    }

    private static func readSets(_ reader: inout ByteReader, count: Int) throws(ParseError) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        for _ in 0..<count { sets.append(Array(try reader.readBytes(Int(try reader.readUInt16())))) }
        return sets
    }

    /// A count of one byte, and each set behind its length.
    private static func writeSets(_ sets: [[UInt8]], to writer: inout ByteWriter) {
        writer.write(UInt8(clamping: sets.count))
        for set in sets.prefix(255) {
            writer.write(UInt16(clamping: set.count))
            writer.write(contentsOf: set.prefix(0xFFFF))
        }
    }

    /// Makes a record from parameter set NAL units in any order; other units are passed over.
    ///
    /// - Throws: `ParseError` when there is no SPS or no PPS, or the first SPS cannot be read.
    package init(parameterSets units: some Sequence<ArraySlice<UInt8>>) throws(ParseError) {
        sequenceParameterSets = []
        pictureParameterSets = []
        var extensions: [[UInt8]] = []
        // No more than a record has room for: a stream can show any number of sets.
        func collect(_ unit: ArraySlice<UInt8>, into sets: inout [[UInt8]], limit: Int) {
            if sets.count < limit, !sets.contains(where: { $0.elementsEqual(unit) }) { sets.append(Array(unit)) }
        }
        for unit in units {
            switch (unit.first ?? 0) & 0x1F {
            case 7: collect(unit, into: &sequenceParameterSets, limit: 31)
            case 8: collect(unit, into: &pictureParameterSets, limit: 255)
            case 13: collect(unit, into: &extensions, limit: 255)
            default: break
            }
        }
        guard let first = sequenceParameterSets.first, !pictureParameterSets.isEmpty else {
            throw ParseError(.malformed, at: 0, in: "avcC", "\(sequenceParameterSets.count) SPS and \(pictureParameterSets.count) PPS; one of each is needed")
        }
        let sps = try AVCSequenceParameterSet(parsing: first[...])
        profileIndication = sps.profileIDC
        profileCompatibility = sps.constraintFlags
        levelIndication = sps.levelIDC
        lengthSize = 4
        trailing = []
        if AVCSequenceParameterSet.highProfiles.contains(profileIndication) {
            trailing = HighProfileExtension(
                chromaFormatIDC: UInt8(truncatingIfNeeded: sps.chromaFormatIDC & 3), bitDepthLumaMinus8: UInt8(sps.bitDepthLuma - 8),
                bitDepthChromaMinus8: UInt8(sps.bitDepthChroma - 8), sequenceParameterSetExtensions: extensions
            ).serialized()
        }
    }

    /// Makes a record from Annex B extradata, or from any stretch of a stream that shows its parameter sets.
    package init(annexB extradata: ArraySlice<UInt8>) throws(ParseError) {
        try self.init(parameterSets: NALUnitSequence.wholeUnits(in: extradata, framing: .annexB).units)
    }

    /// What ``trailing`` says, for profiles that have it; `nil` where it is left out, as old writers do, or cannot be read.
    package var highProfileExtension: HighProfileExtension? {
        guard AVCSequenceParameterSet.highProfiles.contains(profileIndication), !trailing.isEmpty else { return nil }
        do throws(ParseError) { return try HighProfileExtension(parsing: trailing) } catch { return nil }
    }

    /// The record's bytes; reserved bits are written as ones, as the standard has them.
    package func serialized() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(contentsOf: [1, profileIndication, profileCompatibility, levelIndication, 0xFC | UInt8(lengthSize - 1)])
        writer.write(0xE0 | UInt8(min(sequenceParameterSets.count, 31)))
        for set in sequenceParameterSets.prefix(31) {
            writer.write(UInt16(clamping: set.count))
            writer.write(contentsOf: set.prefix(0xFFFF))
        }
        Self.writeSets(pictureParameterSets, to: &writer)
        writer.write(contentsOf: trailing)
        return writer.bytes
    }

    package var firstSequenceParameterSet: AVCSequenceParameterSet? {
        sequenceParameterSets.first.flatMap { set in do throws(ParseError) { return try AVCSequenceParameterSet(parsing: set[...]) } catch { return nil } }
    }
}
