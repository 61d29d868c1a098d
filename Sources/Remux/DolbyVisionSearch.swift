internal import BitsAndTime
internal import Bitstreams
internal import DolbyVision
package import Libav

/// Looks for Dolby Vision in a track's first pictures: each picture has a unit, so the first few tell.
package enum DolbyVisionSearch {
    /// Pictures looked through for units.
    private static let pictureCount = 8

    private struct Findings {
        var unit: DolbyVisionEvidence.Unit?
        var hasUnits = false
        var hasEnhancementUnits = false
        var hasPictures = false
    }

    /// What the track's Dolby Vision is; `nil` where neither container nor pictures name any.
    ///
    /// - Parameters:
    ///   - head: The track's first packets.
    ///   - companion: The stream that may be its second layer, and its first packets.
    package static func evidence(
        _ track: TrackAnalyzer.Copyable, stream: StreamInfo, head: [Packet], companion: (stream: StreamInfo, head: [Packet])? = nil
    ) -> DolbyVisionEvidence? {
        guard let picture = track.description.video else { return nil }
        // Of two streams either may have the record, or both.
        let record = (stream.dolbyVision ?? companion?.stream.dolbyVision).map(DolbyVisionConfigurationRecord.init)
        let codec = track.description.codec
        // Units belong to pictures of ten bits; where the container names none, nothing else is worth a look.
        guard record != nil || (codec != .avc && picture.bitDepth == 10) else { return nil }
        var found = Findings()
        switch codec {
        case .hevc:
            found = searchHEVC(head) { track.framing.nalUnitFraming(of: $0, codec: .hevc) }
            if found.unit == nil, let companion {
                let layer = searchHEVC(companion.head, framing: framing(of: companion.stream))
                (found.unit, found.hasUnits) = (layer.unit, layer.hasUnits)
            }
        case .av1: found = searchAV1(head)
        default: break
        }
        guard record != nil || found.hasUnits else { return nil }
        let rate = picture.frameRate.map { (numerator: Int($0.numerator), denominator: Int($0.denominator)) } ?? (0, 0)
        return DolbyVisionEvidence(
            codec: codec, record: record, primaries: picture.primaries, transfer: picture.transfer, matrix: picture.matrix,
            bitDepth: picture.bitDepth, unit: found.unit, wasSearched: found.hasPictures && !found.hasUnits || found.unit != nil,
            hasEnhancementUnits: found.hasEnhancementUnits, companionStream: companion?.stream.index,
            level: DolbyVisionConfigurationRecord.level(width: picture.width, height: picture.height, pictureRate: rate))
    }

    /// The stream that holds the second layer of `base`, where there is one: another HEVC picture whose own samples carry units of profile 7 and no
    /// layer inside, beside a base that has no units. Records do not tell: a Blu-ray's transport stream has none, and muxers write those of
    /// a second layer with and without a base layer in it.
    package static func companion(of base: StreamInfo, among streams: [StreamInfo], head: [Int: [Packet]]) -> StreamInfo? {
        guard base.codecName == "hevc", base.dolbyVision.map({ $0.profile == 7 }) ?? true else { return nil }
        guard !searchHEVC(head[base.index] ?? [], framing: framing(of: base)).hasUnits else { return nil }
        return streams.first { stream in
            guard isCandidate(stream, besides: base) else { return false }
            let found = searchHEVC(head[stream.index] ?? [], framing: framing(of: stream))
            return found.unit?.profile == 7 && !found.hasEnhancementUnits
        }
    }

    /// Whether a stream's packets are worth reading to find out.
    package static func isCandidate(_ stream: StreamInfo, besides base: StreamInfo) -> Bool {
        stream.kind == .video && stream.index != base.index && stream.codecName == "hevc" && base.codecName == "hevc" && !stream.isAttachedPicture
            && (stream.programID == base.programID || stream.programID == nil || base.programID == nil)
    }

    /// How units lie in a packet of a stream that is not served itself.
    static func framing(of stream: StreamInfo) -> @Sendable (UnsafeRawBufferPointer) -> NALUnitFraming {
        let told = NALUnitFraming.detect(extradata: stream.extradata, lengthSizeOffset: NALUnitFraming.hevcLengthSizeOffset) ?? .annexB
        return { NALUnitFraming.ofSample($0, expected: told, codec: .hevc) }
    }

    private static func searchHEVC(_ head: [Packet], framing: (UnsafeRawBufferPointer) -> NALUnitFraming) -> Findings {
        var found = Findings()
        for packet in head.prefix(pictureCount) where found.unit == nil || !found.hasEnhancementUnits {
            packet.withUnsafeBytes { bytes in
                for range in NALUnitSequence.units(in: bytes, framing: framing(bytes)).ranges {
                    switch HEVCUnitType(bytes, range) {
                    case .referenceProcessingUnit:
                        found.hasUnits = true
                        if found.unit == nil { found.unit = unit { () throws(ParseError) in try ReferenceProcessingUnit(parsing: Array(bytes[range])) } }
                    case .enhancementLayer: found.hasEnhancementUnits = true
                    case .other: if range.count >= 2 { found.hasPictures = true }
                    }
                }
            }
        }
        return found
    }

    private static func searchAV1(_ head: [Packet]) -> Findings {
        var found = Findings()
        for packet in head.prefix(pictureCount) where found.unit == nil {
            packet.withUnsafeBytes { bytes in
                for obu in AV1OpenBitstreamUnit.units(in: bytes).units {
                    guard obu.type == AV1OpenBitstreamUnit.UnitType.metadata else {
                        found.hasPictures = true
                        continue
                    }
                    // metadata_type 4 is ITU-T T.35 (AV1 specification §6.7.1), one byte of leb128.
                    guard obu.payload.count > 1, bytes[obu.payload.lowerBound] == 4 else { continue }
                    let payload = Array(bytes[obu.payload.dropFirst()])
                    guard ReferenceProcessingUnit.isT35Payload(payload[...]) else { continue }
                    found.hasUnits = true
                    if found.unit == nil { found.unit = unit { () throws(ParseError) in try ReferenceProcessingUnit(parsingT35: payload[...]) } }
                }
            }
        }
        return found
    }

    private static func unit(_ read: () throws(ParseError) -> ReferenceProcessingUnit) -> DolbyVisionEvidence.Unit? {
        do throws(ParseError) {
            let unit = try read()
            return .init(profile: unit.profile, enhancementLayer: unit.enhancementLayer)
        } catch {
            return nil
        }
    }
}

extension DolbyVisionConfigurationRecord {
    /// A container's record as libavformat hands it out.
    init(_ record: DolbyVisionRecord) {
        self.init(
            profile: record.profile, level: record.level, compatibilityID: record.baseLayerCompatibilityID, hasEnhancementLayer: record.hasEnhancementLayer,
            hasBaseLayer: record.hasBaseLayer, hasRPU: record.hasRPU, metadataCompression: record.metadataCompression)
        (versionMajor, versionMinor) = (record.versionMajor, record.versionMinor)
    }
}
