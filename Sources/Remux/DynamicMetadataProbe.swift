package import Bitstreams
package import Libav

/// Looks into a source's first pictures for HDR10+ and HDR Vivid, within a bound, and without decoding any.
package enum DynamicMetadataProbe {
    package struct Finding: Sendable, Equatable {
        package var hdr10Plus: DynamicMetadataScan.Verdict
        package var hdrVivid: DynamicMetadataScan.Verdict
        /// Packets looked at.
        package var packetCount: Int
        /// Why a verdict is ``DynamicMetadataScan/Verdict/unknown``, in words for a report.
        package var reason: String
    }

    /// Reads on until enough pictures are there; what was read stays queued for playing. Where reading fails, those read until then count:
    /// the source was described without this.
    package static func run(reader: SourceReader, stream: StreamInfo, framing: SampleFraming? = nil) -> Finding {
        do throws(LibavError) { try reader.readHead(video: stream.index, pictures: DynamicMetadataScan.accessUnitLimit) } catch {}
        return look(at: reader.head[stream.index] ?? [], of: stream, framing: framing)
    }

    /// - Parameters:
    ///   - packets: The stream's first, in file order.
    ///   - framing: How the track was found to be framed, where it can be served.
    package static func look(at packets: [Packet], of stream: StreamInfo, framing: SampleFraming? = nil) -> Finding {
        let packets = packets.prefix(DynamicMetadataScan.accessUnitLimit)
        // Matroska may carry HDR10+ beside the picture (BlockAdditions), whatever the codec; libavformat has parsed it then.
        let beside = packets.lazy.compactMap(\.hdr10PlusApplicationVersion).first
        func finding(_ scan: DynamicMetadataScan?, reason: String) -> Finding {
            Finding(
                hdr10Plus: beside.map { .present(applicationVersion: $0) } ?? scan?.hdr10Plus ?? .unknown, hdrVivid: scan?.hdrVivid ?? .unknown,
                packetCount: packets.count, reason: reason)
        }
        guard let (codec, offset) = codec(of: stream) else { return finding(nil, reason: "\(stream.codecName) pictures are not looked into") }
        if packets.contains(where: \.isEncrypted) { return finding(nil, reason: "the pictures are encrypted") }
        let told = NALUnitFraming.detect(extradata: stream.extradata, lengthSizeOffset: offset) ?? .annexB
        var scan = DynamicMetadataScan(codec: codec)
        for packet in packets {
            packet.withUnsafeBytes { bytes in
                if case .startCodesBehindLengths(let size) = framing {
                    NALUnitSequence.splitAtStartCodes(bytes, lengthSize: size).withUnsafeBytes { scan.look(at: $0, framing: .lengthPrefixed(lengthSize: 4)) }
                } else {
                    scan.look(at: bytes, framing: codec == .av1 ? told : NALUnitFraming.ofSample(bytes, expected: told, codec: codec))
                }
            }
        }
        return finding(scan, reason: packets.isEmpty ? "no picture was read" : "a picture among those looked at could not be read to its end")
    }

    private static func codec(of stream: StreamInfo) -> (RandomAccess.Codec, lengthSizeOffset: Int)? {
        switch stream.codecName {
        case "h264": (.avc, NALUnitFraming.avcLengthSizeOffset)
        case "hevc": (.hevc, NALUnitFraming.hevcLengthSizeOffset)
        case "av1": (.av1, NALUnitFraming.avcLengthSizeOffset)
        default: nil
        }
    }
}
