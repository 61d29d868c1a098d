// swift-tools-version: 6.0
// The manifest is the architecture diagram: arrows point down only (docs/architecture.md).

import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "prism",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "PrismCore", targets: ["PrismCore"]),
        .executable(name: "prismcore-cli", targets: ["prismcore-cli"]),
    ],
    targets: [
        // Pure formats: nothing but the standard library.
        .target(name: "BitsAndTime", swiftSettings: strict),
        .target(name: "Bitstreams", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "DolbyVision", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "ISOBMFF", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "Matroska", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "MPEGTS", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "FLV", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "HLS", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "Languages", swiftSettings: strict),
        .target(name: "TimedText", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "Captions", dependencies: ["BitsAndTime", "TimedText"], swiftSettings: strict),
        .target(name: "SubtitlePictures", dependencies: ["BitsAndTime"], swiftSettings: strict),
        // Pure arithmetic on samples.
        .target(name: "SoundShaping", swiftSettings: strict),

        // A lock thread sanitizer can see, under everything that has threads.
        .target(name: "Locks", swiftSettings: strict),

        // libav*: linked by the empty system library, seen through one C shim, imported by one room.
        .systemLibrary(
            name: "CFFmpegLibraries",
            pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev"]),
                .brew(["ffmpeg"]),
            ]
        ),
        .target(name: "CFFmpeg", dependencies: ["CFFmpegLibraries"]),
        .target(name: "Redaction", swiftSettings: strict),
        .target(name: "Libav", dependencies: ["BitsAndTime", "Locks", "Redaction", "CFFmpeg"], swiftSettings: strict),

        // Which encoding a text without a mark is in; Apple's Foundation knows it by itself.
        .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
        // Packets and files of words and of pictures of words → cues.
        .target(
            name: "Subtitles",
            dependencies: ["BitsAndTime", "Locks", "Languages", "TimedText", "SubtitlePictures", "Libav", .target(name: "CUchardet", condition: .when(platforms: [.linux]))],
            swiftSettings: strict),

        // HTTP/1.1 on 127.0.0.1; knows bytes and names, not what a segment is.
        .target(name: "CPlacement"),
        .target(name: "LoopbackHTTP", dependencies: ["Locks", "CPlacement"], swiftSettings: strict),

        // Plan, place, cut, store: packets in, fragments out.
        .target(name: "Remux", dependencies: ["BitsAndTime", "Locks", "Bitstreams", "DolbyVision", "ISOBMFF", "Matroska", "MPEGTS", "FLV", "HLS", "Languages", "SoundShaping", "Libav"], swiftSettings: strict),

        // Cues into segments of WebVTT: read beside the film, or handed over by its producer.
        .target(name: "SubtitleRenditions", dependencies: ["BitsAndTime", "Locks", "Bitstreams", "TimedText", "Captions", "Subtitles", "Libav", "Remux"], swiftSettings: strict),

        // The service hosts use.
        .target(name: "PrismCore", dependencies: ["BitsAndTime", "Locks", "Bitstreams", "DolbyVision", "ISOBMFF", "Languages", "Matroska", "SoundShaping", "TimedText", "Captions", "Subtitles", "SubtitleRenditions", "Libav", "Remux", "LoopbackHTTP"], swiftSettings: strict),

        // Tools: rules of HLS over fetched bytes, a client of served presentations, and the command line over all.
        .target(name: "StreamValidation", dependencies: ["BitsAndTime", "Bitstreams", "ISOBMFF", "HLS"], swiftSettings: strict),
        .target(name: "SegmentVerification", dependencies: ["BitsAndTime", "HLS", "ISOBMFF", "Libav", "StreamValidation"], swiftSettings: strict),
        // One source measured: start, seeks, drain.
        .target(name: "Benchmarking", dependencies: ["PrismCore", "HLS", "BitsAndTime", "Libav"], swiftSettings: strict),
        .executableTarget(
            name: "prismcore-cli", dependencies: ["PrismCore", "LoopbackHTTP", "SegmentVerification", "StreamValidation", "Benchmarking", "Locks"],
            resources: [.embedInCode("Page/player.html"), .embedInCode("Page/player.css"), .embedInCode("Page/player.js"), .embedInCode("Page/subtitles.js")]),

        // Run by Tests/Clients: what many sessions in one process leave behind.
        .executableTarget(name: "session-churn", dependencies: ["PrismCore", "Benchmarking"], path: "Tests/SessionChurn", swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "BitsAndTimeTests", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .testTarget(name: "MatroskaTests", dependencies: ["Matroska", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "MPEGTSTests", dependencies: ["MPEGTS", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "FLVTests", dependencies: ["FLV", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "BitstreamsTests", dependencies: ["Bitstreams", "BitsAndTime", "ISOBMFF", "Libav", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "DolbyVisionTests", dependencies: ["DolbyVision", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ISOBMFFTests", dependencies: ["ISOBMFF", "BitsAndTime", "Libav", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "HLSTests", dependencies: ["HLS", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SoundShapingTests", dependencies: ["SoundShaping", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "TimedTextTests", dependencies: ["TimedText", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SubtitlePicturesTests", dependencies: ["SubtitlePictures", "BitsAndTime", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "CaptionsTests", dependencies: ["Captions", "TimedText", "Bitstreams", "BitsAndTime", "Libav", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "LanguagesTests", dependencies: ["Languages", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "RedactionTests", dependencies: ["Redaction", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "LibavTests", dependencies: ["Libav", "BitsAndTime", "Locks"], swiftSettings: strict),
        .testTarget(name: "SubtitlesTests", dependencies: ["Subtitles", "BitsAndTime", "Locks", "TimedText", "SubtitlePictures", "Libav", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SubtitleRenditionsTests", dependencies: ["SubtitleRenditions", "TimedText", "Remux", "BitsAndTime", "Libav", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "LoopbackHTTPTests", dependencies: ["LoopbackHTTP", "Locks"], swiftSettings: strict),
        .testTarget(name: "RemuxTests", dependencies: ["Remux", "BitsAndTime", "Bitstreams", "DolbyVision", "ISOBMFF", "HLS", "Languages", "Matroska", "MPEGTS", "FLV", "SoundShaping", "Libav", "TestSupport"]),
        .testTarget(
            name: "StreamValidationTests", dependencies: ["StreamValidation", "BitsAndTime", "Bitstreams", "ISOBMFF", "HLS", "Locks"], swiftSettings: strict),
        .testTarget(name: "BenchmarkingTests", dependencies: ["Benchmarking", "HLS", "LoopbackHTTP", "TestSupport"]),
        .testTarget(name: "PrismCoreTests", dependencies: ["PrismCore", "BitsAndTime", "Bitstreams", "DolbyVision", "ISOBMFF", "Remux", "LoopbackHTTP", "SegmentVerification", "StreamValidation", "HLS", "Languages", "SoundShaping", "Libav", "TestSupport"]),
    ]
)

// Fuzz targets are built with libFuzzer's flags, which script/fuzz gives: no part of any other build.
if Context.environment["PRISM_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["BitsAndTime", "Bitstreams", "Captions", "DolbyVision", "ISOBMFF", "Matroska", "MPEGTS", "FLV", "HLS", "Languages", "LoopbackHTTP", "Redaction", "StreamValidation", "SubtitlePictures", "Subtitles", "TimedText"],
            path: "Fuzz",
            exclude: ["Corpus", "Dictionaries", "make-corpus"], swiftSettings: strict))
}
