internal import CFFmpeg

/// The FFmpeg this process has loaded, which may not be the one it was compiled against.
package struct FFmpegBuild: Sendable {
    package struct Version: Sendable, Hashable, CustomStringConvertible {
        package let major, minor, micro: Int
        package var description: String { "\(major).\(minor).\(micro)" }
    }

    package struct Library: Sendable, Hashable {
        package let name: String
        /// Of the headers.
        package let compiledVersion: Version
        /// Of the library that answers.
        package let loadedVersion: Version
        /// Same major version, and not older than the headers: structure fields and functions are where the code expects.
        package var isABIMatched: Bool {
            compiledVersion.major == loadedVersion.major && loadedVersion.minor >= compiledVersion.minor
        }
    }

    /// libavutil, libavcodec, libavformat, libswresample, libswscale.
    package let libraries: [Library]
    /// FFmpeg's own name for itself ("5.1.9-0+deb12u1", "n8.1.2").
    package let versionString: String
    /// The configure line it was built with.
    package let configuration: String

    package static let current = FFmpegBuild()

    private init() {
        FFmpegBuild.prepare()
        var found: [Library] = []
        var name: UnsafePointer<CChar>?
        var compiled: UInt32 = 0
        var loaded: UInt32 = 0
        while prism_library(Int32(found.count), &name, &compiled, &loaded) != 0, let name {
            found.append(
                Library(
                    name: String(cString: name), compiledVersion: FFmpegBuild.version(compiled),
                    loadedVersion: FFmpegBuild.version(loaded)))
        }
        libraries = found
        versionString = av_version_info().map { String(cString: $0) } ?? ""
        configuration = avcodec_configuration().map { String(cString: $0) } ?? ""
    }

    /// Whether every library is the one the code was compiled for.
    package var isABIMatched: Bool { libraries.allSatisfy(\.isABIMatched) }

    /// Whether a decoder or encoder of exactly this name is in the build ("eac3", "libdav1d").
    package func hasDecoder(_ name: String) -> Bool { avcodec_find_decoder_by_name(name) != nil }
    package func hasEncoder(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }

    /// Whether the build decodes a codec, by libavcodec's name of the codec ("dts", where its decoder is "dca").
    package func decodes(codec name: String) -> Bool {
        guard let descriptor = avcodec_descriptor_get_by_name(name) else { return false }
        return avcodec_find_decoder(descriptor.pointee.id) != nil
    }

    /// The decoder AV1 would be decoded with in software, nil when the build has none. libav's own "av1" only drives
    /// hardware and does not count.
    package var av1DecoderName: String? { ["libdav1d", "libaom-av1"].first(where: hasDecoder) }

    /// Whether audio can be encoded as E-AC-3.
    package var hasEAC3Encoder: Bool { hasEncoder("eac3") }

    /// Whether it was built with zlib, which compressed Matroska tracks and MP4 headers need. Judged by the decoders that
    /// need zlib too; a build stripped of all of them answers false.
    package var hasZlib: Bool { ["zlib", "png", "apng", "flashsv", "tscc"].contains(where: hasDecoder) }

    /// Several lines for a log: FFmpeg's name, each library's version with the headers' beside it when they disagree, and
    /// the capabilities that decide what is done with a source.
    package var summary: String {
        var lines = ["FFmpeg \(versionString)"]
        for library in libraries {
            var line = "  \(library.name) \(library.loadedVersion)"
            if library.compiledVersion != library.loadedVersion { line += " (headers \(library.compiledVersion))" }
            if !library.isABIMatched { line += " ABI MISMATCH" }
            lines.append(line)
        }
        lines.append("  eac3 encoder: \(hasEAC3Encoder ? "yes" : "no, audio cannot be bridged")")
        lines.append("  av1 decoder: \(av1DecoderName ?? "none")")
        return lines.joined(separator: "\n")
    }

    /// Once a process: libav's printing off (see ``LibavLog``), its network layer on.
    static func prepare() { _ = prepared }

    private static let prepared: Void = {
        prism_take_log()
        avformat_network_init()
    }()

    private static func version(_ packed: UInt32) -> Version {
        Version(major: Int(packed >> 16), minor: Int(packed >> 8 & 0xFF), micro: Int(packed & 0xFF))
    }
}
