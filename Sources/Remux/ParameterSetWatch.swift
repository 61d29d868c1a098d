internal import BitsAndTime
internal import Bitstreams
internal import Libav

/// Sees whether a picture still decodes by the parameter sets that its track's init segment gives.
///
/// A set that comes again, or differs in timing, colour, level or by a new picture parameter set, is taken in band by every decoder. One that
/// changes what a decoder session is built from (profile, sampling, depth, numbering, size) is not: players keep the old session, and show a
/// frozen picture or none. The same holds for a container that says itself that another description is in force.
package struct ParameterSetWatch: Sendable {
    package enum Change: Sendable {
        /// The init segment to use from this picture on.
        case renewed([UInt8])
        /// There is none that could be made.
        case unusable
    }

    /// What a decoder session is built from.
    private enum Signature: Equatable {
        case avc(AVCSequenceParameterSet)
        case hevc(HEVCSequenceParameterSet)
    }

    private let stream: StreamInfo
    private let codec: TrackCodec
    private let timescale: Int32
    private let presentationOffset: Int64
    /// How the track's Dolby Vision is served, which a new size does not change.
    private let route: DolbyVisionRoute?
    private var configuration: [UInt8]
    private var signatures: [Signature]
    /// Sets seen that change nothing, as bytes.
    private var known: [[UInt8]]

    init?(_ track: TrackAnalyzer.Copyable, stream: StreamInfo, timescale: Int32, presentationOffset: Int64) {
        guard [.avc, .hevc].contains(track.description.codec) else { return nil }
        self.stream = stream
        self.timescale = timescale
        self.presentationOffset = presentationOffset
        codec = track.description.codec
        route = track.description.dolbyVision
        configuration = track.description.configuration
        known = Self.sequenceSets(codec, configuration)
        signatures = known.compactMap { [codec] in Self.signature($0[...], codec) }
        if signatures.isEmpty { return nil }
    }

    /// Whether two records give a decoder the same sets.
    package static func agree(_ codec: TrackCodec, _ a: [UInt8], _ b: [UInt8]) -> Bool {
        a == b || Set(sets(codec, a)) == Set(sets(codec, b))
    }

    /// - Parameter packet: One on which decoding can begin.
    /// - Returns: `nil` while all is as it was.
    mutating func change(at packet: Packet, framing: SampleFraming) -> Change? {
        let units = packet.withUnsafeBytes { [codec] bytes in
            NALUnitSequence.units(in: bytes, framing: framing.nalUnitFraming(of: bytes, codec: codec.family)).ranges
                .filter { Self.isSet(Array(bytes[$0.prefix(2)]), codec) }.map { Array(bytes[$0]) }
        }
        if let told = packet.newExtradata, !Self.agree(codec, told, configuration) { return adopt(told, at: packet) }
        let fresh = units.filter { Self.isSequenceSet($0, codec) && !known.contains($0) }
        if fresh.isEmpty { return nil }
        let shown = fresh.compactMap { [codec] in Self.signature($0[...], codec) }
        if shown.isEmpty || shown.contains(where: signatures.contains) {
            // Bounded: a stream may show a new set with each keyframe.
            known = Array((known + fresh).suffix(64))
            return nil
        }
        return record(of: units).map { adopt($0, at: packet) } ?? .unusable
    }

    /// - Parameter packet: The picture it is for: what only its messages say of brightness and range belongs to the init segment as well.
    private mutating func adopt(_ record: [UInt8], at packet: Packet) -> Change {
        var changed = stream
        changed.extradata = record
        guard case .copyable(let plain) = TrackAnalyzer.video(changed, head: [packet]), plain.description.codec == codec,
            let next = ParameterSetWatch(plain.routed(route), stream: stream, timescale: timescale, presentationOffset: presentationOffset)
        else { return .unusable }
        self = next
        return .renewed(RenditionFactory.initialization(plain.routed(route).description, timescale: timescale, presentationOffset: presentationOffset))
    }

    /// A record of the sets a picture brings with it; those it leaves out stay in force.
    private func record(of units: [[UInt8]]) -> [UInt8]? {
        let kinds = Set(units.map { Self.kind($0, codec) })
        let kept = Self.sets(codec, configuration).filter { !kinds.contains(Self.kind($0, codec)) }
        let all = (units + kept).map { $0[...] }
        do throws(ParseError) {
            switch codec {
            case .avc:
                var record = try AVCDecoderConfigurationRecord(parameterSets: all)
                record.lengthSize = try AVCDecoderConfigurationRecord(parsing: configuration).lengthSize
                return record.serialized()
            default:
                var record = try HEVCDecoderConfigurationRecord(parameterSets: all)
                record.lengthSize = try HEVCDecoderConfigurationRecord(parsing: configuration).lengthSize
                return record.serialized()
            }
        } catch {
            return nil
        }
    }

    // MARK: Sets

    private static func kind(_ unit: [UInt8], _ codec: TrackCodec) -> UInt8 {
        guard let first = unit.first else { return 0 }
        return codec == .avc ? first & 0x1F : first >> 1 & 0x3F
    }

    private static func isSet(_ unit: [UInt8], _ codec: TrackCodec) -> Bool {
        // Of a second layer (nuh_layer_id) nothing is served.
        if codec != .avc, unit.count < 2 || unit[0] & 1 != 0 || unit[1] >> 3 != 0 { return false }
        return (codec == .avc ? 7...8 : 32...34).contains(kind(unit, codec))
    }

    private static func isSequenceSet(_ unit: [UInt8], _ codec: TrackCodec) -> Bool { kind(unit, codec) == (codec == .avc ? 7 : 33) }

    private static func sequenceSets(_ codec: TrackCodec, _ record: [UInt8]) -> [[UInt8]] { sets(codec, record).filter { isSequenceSet($0, codec) } }

    private static func sets(_ codec: TrackCodec, _ record: [UInt8]) -> [[UInt8]] {
        do throws(ParseError) {
            if codec == .avc {
                let parsed = try AVCDecoderConfigurationRecord(parsing: record)
                return parsed.sequenceParameterSets + parsed.pictureParameterSets
            }
            return try HEVCDecoderConfigurationRecord(parsing: record).arrays.flatMap(\.units).filter { isSet($0, codec) }
        } catch {
            return []
        }
    }

    private static func signature(_ unit: ArraySlice<UInt8>, _ codec: TrackCodec) -> Signature? {
        do throws(ParseError) {
            if codec == .avc {
                var set = try AVCSequenceParameterSet(parsing: unit)
                set.usability = VideoUsabilityInformation()
                (set.levelIDC, set.constraintFlags, set.hasFixedFrameRate, set.sequenceParameterSetID) = (0, 0, false, 0)
                (set.maxNumReorderFrames, set.maxDecFrameBuffering) = (nil, nil)
                return .avc(set)
            }
            var set = try HEVCSequenceParameterSet(parsing: unit)
            set.usability = VideoUsabilityInformation()
            set.profileTierLevel.levelIDC = 0
            (set.videoParameterSetID, set.sequenceParameterSetID, set.minSpatialSegmentationIDC) = (0, 0, 0)
            return .hevc(set)
        } catch {
            return nil
        }
    }
}
