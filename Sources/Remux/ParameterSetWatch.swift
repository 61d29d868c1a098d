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

    private let stream: StreamInfo
    private let codec: TrackCodec
    private let timescale: Int32
    private let presentationOffset: Int64
    /// How the track's Dolby Vision is served, which a new size does not change.
    private let route: DolbyVisionRoute?
    private let lengthSize: Int
    /// Those of the init segment, and with what came in band since.
    private let described: ParameterSets
    private var sets: ParameterSets
    /// Of the init segment's.
    private let signatures: [DecoderSignature]

    init?(_ track: TrackAnalyzer.Copyable, stream: StreamInfo, timescale: Int32, presentationOffset: Int64) {
        guard let (sets, lengthSize) = Self.sets(track.description.codec, track.description.configuration) else { return nil }
        self.stream = stream
        self.timescale = timescale
        self.presentationOffset = presentationOffset
        codec = track.description.codec
        route = track.description.dolbyVision
        (described, self.sets, self.lengthSize) = (sets, sets, lengthSize)
        signatures = sets.signatures
        if signatures.isEmpty { return nil }
    }

    /// Whether two records give a decoder the same sets.
    package static func agree(_ codec: TrackCodec, _ a: [UInt8], _ b: [UInt8]) -> Bool {
        if a == b { return true }
        guard let (left, _) = sets(codec, a), let (right, _) = sets(codec, b) else { return false }
        return left.holdsTheSame(as: right)
    }

    /// - Parameter packet: One on which decoding can begin.
    /// - Returns: `nil` while all is as it was.
    mutating func change(at packet: Packet, framing: SampleFraming) -> Change? {
        let family = codec.family
        if let told = packet.newExtradata, let (new, _) = Self.sets(codec, told), !new.holdsTheSame(as: described), !new.holdsTheSame(as: sets) {
            return adopt(told, at: packet)
        }
        return packet.withUnsafeBytes { bytes in
            let units = framing.nalUnitFraming(of: bytes, codec: family)
            var shown = ParameterSets(codec: family)
            shown.insert(from: bytes, framing: units)
            sets.insert(from: bytes, framing: units)
            // A picture that cannot be read says nothing; any set it brought may be the one it means.
            let found = sets.signature(ofPictureIn: bytes, framing: units).map { [$0] } ?? shown.signatures
            if found.isEmpty || found.contains(where: signatures.contains) { return nil }
            return record(of: sets.renewed(by: shown)).map { adopt($0, at: packet) } ?? .unusable
        }
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

    private func record(of sets: ParameterSets) -> [UInt8]? {
        do throws(ParseError) {
            if codec == .avc {
                var record = try AVCDecoderConfigurationRecord(parameterSets: sets.all)
                record.lengthSize = lengthSize
                return record.serialized()
            }
            var record = try HEVCDecoderConfigurationRecord(parameterSets: sets.all)
            record.lengthSize = lengthSize
            return record.serialized()
        } catch {
            return nil
        }
    }

    /// The sets of a record, and how many bytes its units' lengths have; `nil` for codecs that have none, and where it cannot be read.
    private static func sets(_ codec: TrackCodec, _ record: [UInt8]) -> (ParameterSets, lengthSize: Int)? {
        do throws(ParseError) {
            switch codec {
            case .avc:
                let parsed = try AVCDecoderConfigurationRecord(parsing: record)
                return (ParameterSets(parsed), parsed.lengthSize)
            case .hevc:
                let parsed = try HEVCDecoderConfigurationRecord(parsing: record)
                return (ParameterSets(parsed), parsed.lengthSize)
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
