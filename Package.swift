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
    targets: [
        // Pure formats: nothing but the standard library.
        .target(name: "BitsAndTime", swiftSettings: strict),
        .target(name: "Bitstreams", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "ISOBMFF", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .target(name: "HLS", dependencies: ["BitsAndTime"], swiftSettings: strict),

        // HTTP/1.1 on 127.0.0.1; knows bytes and names, not what a segment is.
        .target(name: "LoopbackHTTP", swiftSettings: strict),

        .testTarget(name: "BitsAndTimeTests", dependencies: ["BitsAndTime"], swiftSettings: strict),
        .testTarget(name: "LoopbackHTTPTests", dependencies: ["LoopbackHTTP"], swiftSettings: strict),
    ]
)
