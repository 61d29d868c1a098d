import Foundation
import ISOBMFF
import Libav
import TestSupport

/// What ffmpeg makes of elementary streams: the streams, and MP4 files around the same bytes.
enum Reference {
    static let shared: FFmpegFixture? = try? FFmpegFixture()

    struct Missing: Error {}

    static func folder() throws -> FFmpegFixture {
        guard let shared else { throw Missing() }
        return shared
    }

    static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

    /// An elementary stream and the sample entry ffmpeg gives the same packets.
    struct Pair {
        let stream: [UInt8]
        let file: String
        let boxes: [RawBox]

        func box(_ type: FourCharacterCode) throws -> [UInt8] {
            guard let box = boxes.first(where: { $0.type == type }) else { throw Missing() }
            return box.payload
        }

        /// Packets as an MP4 holds them.
        func samples() throws -> [Packet] {
            let demuxer = try Demuxer(url: file)
            var packets: [Packet] = []
            while let packet = try demuxer.readPacket() { packets.append(packet) }
            return packets
        }
    }

    static let picture = "-f lavfi -i testsrc2=s=162x90:r=24:d=2"
    static let sound = "-f lavfi -i sine=440:r=48000:d=0.5"

    static func pair(_ name: String, `extension`: String, _ arguments: String, mp4: String = "") throws -> Pair {
        let folder = try folder()
        let stream = try folder.makeBlocking("\(name).\(`extension`)", arguments)
        let file = try folder.makeBlocking("\(name).mp4", "-i \(stream.path) -c copy \(mp4)")
        let segment = try InitializationSegment(parsing: try bytes(file))
        let boxes = switch segment.sampleEntry {
        case .visual(let entry): entry.configurationBoxes
        case .audio(let entry): entry.configurationBoxes
        }
        return Pair(stream: try bytes(stream), file: file.path, boxes: boxes)
    }
}
