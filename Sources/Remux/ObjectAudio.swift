internal import BitsAndTime
internal import Bitstreams
package import Libav

/// Sound objects a source's audio track carries, whatever becomes of them: only copied E-AC-3 keeps them.
package enum ObjectAudio: Sendable, Equatable {
    /// Dolby Atmos in E-AC-3 (ETSI TS 103 420).
    case jointObjectCoding(complexity: Int)
    /// Dolby Atmos in TrueHD: a 16-channel presentation. The count is of channels and objects; `nil` where the stream does not describe it.
    case trueHD(elements: Int?)
    /// DTS:X, as libavcodec names the profile once it has read frames.
    case dtsX

    /// Access units looked at. TrueHD has a major sync in one of 128 at least, and files begin with one.
    private static let packetLimit = 64

    /// - Parameter head: The stream's first packets, in file order.
    package static func find(in stream: StreamInfo, head: [Packet]) -> ObjectAudio? {
        let packets = head.prefix(packetLimit).lazy
        switch stream.codecName {
        case "eac3", "ac3": return packets.compactMap(jointObjectCoding).first
        case "truehd", "mlp":
            guard let sync = packets.compactMap(majorSync).first, sync.hasObjectPresentation else { return nil }
            return .trueHD(elements: sync.objectPresentationElementCount)
        case "dts": return stream.profileName?.contains("DTS:X") == true ? .dtsX : nil
        default: return nil
        }
    }

    private static func jointObjectCoding(_ packet: Packet) -> ObjectAudio? {
        do throws(ParseError) {
            return try EAC3AccessUnit(parsing: packet.bytes).jocComplexityIndex.map { .jointObjectCoding(complexity: $0) }
        } catch {
            return nil
        }
    }

    private static func majorSync(_ packet: Packet) -> MLPMajorSync? {
        do throws(ParseError) { return try MLPMajorSync(accessUnit: packet.bytes[...]) } catch { return nil }
    }
}
