internal import Libav

/// The FFmpeg that answered: half of what the engine decides is a question about the build rather than the media.
public enum FFmpegBuild {
    public struct Library: Sendable, Equatable, Codable {
        public let name: String
        /// Version of the headers this engine was compiled against.
        public let compiled: String
        /// Version of the library that is loaded.
        public let loaded: String
        /// Whether both have the same major version, and so the same structures.
        public let isABIMatched: Bool
    }

    public static var libraries: [Library] {
        Libav.FFmpegBuild.current.libraries.map {
            Library(name: $0.name, compiled: $0.compiledVersion.description, loaded: $0.loadedVersion.description, isABIMatched: $0.isABIMatched)
        }
    }

    /// FFmpeg's own version text.
    public static var version: String { Libav.FFmpegBuild.current.versionString }
    /// libavcodec's configure line.
    public static var configuration: String { Libav.FFmpegBuild.current.configuration }
    public static var isABIMatched: Bool { Libav.FFmpegBuild.current.isABIMatched }
    /// A few lines for a log or a bug report.
    public static var summary: String { Libav.FFmpegBuild.current.summary }

    /// Whether the loaded build has this decoder or encoder, by libavcodec's name.
    public static func hasDecoder(_ name: String) -> Bool { Libav.FFmpegBuild.current.hasDecoder(name) }
    public static func hasEncoder(_ name: String) -> Bool { Libav.FFmpegBuild.current.hasEncoder(name) }
}

extension FFmpegBuild {
    /// The AV1 decoder of the loaded build, `libdav1d` before `libaom-av1`; `nil` for none.
    public static var av1Decoder: String? { Libav.FFmpegBuild.current.av1DecoderName }
}
