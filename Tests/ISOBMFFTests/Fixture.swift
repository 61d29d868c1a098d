import Foundation
import ISOBMFF
import Libav
import TestSupport

/// Files the tests read and write.
enum Fixture {
    struct Missing: Error {}

    private static let shared: FFmpegFixture? = try? FFmpegFixture()

    static func folder() throws -> FFmpegFixture {
        guard let shared else { throw Missing() }
        return shared
    }

    static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
    static func write(_ bytes: [UInt8], to url: URL) throws { try Data(bytes).write(to: url) }

    /// A hash for each decoded frame with its size, and no times. Edit lists are left out: libavformat takes priming off by those of
    /// whole files only.
    static func frameHashes(_ path: String) throws -> [String] {
        let result = try FFmpegFixture.run(["ffmpeg", "-nostdin", "-v", "error", "-ignore_editlist", "1", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        guard result.status == 0 else { throw Missing() }
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.map { $0.split(separator: ",").suffix(2).joined() }
    }

    /// pts, dts, size and key flag of each packet. Durations of fragmented files libavformat leaves unsaid for some codecs.
    static func packets(_ path: String) throws -> [[String]] {
        let result = try FFmpegFixture.run([
            "ffprobe", "-v", "error", "-show_entries", "packet=pts,dts,size,flags", "-of", "csv=p=0", path,
        ])
        guard result.status == 0 else { throw Missing() }
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return fields.prefix(3) + [fields.count > 3 && fields[3].contains("K") ? "K" : ""]
        }
    }

    static func samples(_ path: String) throws -> [Packet] {
        let demuxer = try Demuxer(url: path)
        var packets: [Packet] = []
        while let packet = try demuxer.readPacket() { packets.append(packet) }
        return packets
    }
}
