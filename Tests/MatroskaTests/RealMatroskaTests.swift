import BitsAndTime
import Foundation
import Matroska
import Testing

/// Files of muxers nobody here wrote.
@Suite(.serialized) struct RealMatroskaTests {
    private static func run(_ tool: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func has(_ tool: String) -> Bool { (try? run(tool, [tool == "ffmpeg" ? "-version" : "--version"])) == 0 }

    private static func reader(_ url: URL) throws -> (Int64, Int) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: url)
        return { offset, count in
            try handle.seek(toOffset: UInt64(offset))
            return Array(try handle.read(upToCount: count) ?? Data())
        }
    }

    /// Reads the Cues a layout found and checks that each point names a Cluster.
    private static func points(of layout: MatroskaLayout, _ read: (Int64, Int) throws -> [UInt8]) throws -> [CuePoint] {
        let cues = try #require(layout.cues)
        let points = try CuePoint.parse(cues: try read(cues.payloadOffset, Int(cues.payloadByteCount))[...])
        for point in points {
            let offset = try #require(layout.fileOffset(ofPosition: point.clusterPosition))
            #expect(try read(offset, 4) == [0x1F, 0x43, 0xB6, 0x75])
        }
        return points
    }

    @Test(.enabled(if: has("ffmpeg") && has("mkvmerge")))
    func whatFFmpegAndMkvmergeWriteIsFoundWhereTheyPutIt() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "matroska-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        let source = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=12", "-c:v", "mpeg4", "-g", "48"]
        try #require(try Self.run("ffmpeg", source + [path("tail.mkv")]) == 0)
        let copy = ["-v", "error", "-y", "-i", path("tail.mkv"), "-c", "copy"]
        try #require(try Self.run("ffmpeg", copy + ["-cues_to_front", "1", path("head.mkv")]) == 0)
        try #require(try Self.run("ffmpeg", copy + ["-live", "1", path("live.mkv")]) == 0)
        try #require(try Self.run("mkvmerge", ["-q", "-o", path("merged.mkv"), path("tail.mkv")]) == 0)
        try #require(try Self.run("mkvmerge", ["-q", "--no-cues", "-o", path("bare.mkv"), path("tail.mkv")]) == 0)
        try #require(try Self.run("mkvmerge", ["-q", "--cluster-length", "500ms", "-o", path("fine.mkv"), path("tail.mkv")]) == 0)

        for (name, location) in [
            ("tail.mkv", MatroskaLayout.IndexLocation.tail), ("head.mkv", .head), ("merged.mkv", .tail), ("fine.mkv", .tail),
        ] {
            let read = try Self.reader(folder.appending(path: name))
            let layout = try MatroskaLayout.scan(read: read)
            #expect(layout.indexLocation == location, "\(name)")
            let duration = try #require(layout.information?.duration)
            #expect(abs(duration.seconds - 12) < 0.1, "\(name)")
            let points = try Self.points(of: layout, read)
            #expect(points.map(\.timeTicks) == [0, 2000, 4000, 6000, 8000, 10_000], "\(name)")
            #expect(try layout.indexCompleteness(of: points, tolerance: MediaTime(ticks: 3, timescale: 1), read: read) == .complete, "\(name)")
            #expect(
                try layout.indexCompleteness(of: Array(points.prefix(2)), tolerance: MediaTime(ticks: 3, timescale: 1), read: read) == .partial,
                "\(name)")
            #expect(try #require(layout.metadataEnd) <= #require(layout.firstClusterOffset))
        }
        #expect(try MatroskaLayout.scan(read: Self.reader(folder.appending(path: "bare.mkv"))).indexLocation == .none)
        let live = try MatroskaLayout.scan(read: Self.reader(folder.appending(path: "live.mkv")))
        #expect(live.firstClusterOffset != nil)
        #expect(live.indexLocation != .head && live.indexLocation != .tail)
        #expect(live.information?.duration == nil)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["PRISM_MEDIA"] != nil))
    func everyFileOfTheMediaCollectionIsWhatItsLayoutSays() throws {
        let root = URL(filePath: ProcessInfo.processInfo.environment["PRISM_MEDIA"] ?? "").appending(path: "matroska")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
            .filter { ["mkv", "webm", "mka", "mk3d"].contains($0.pathExtension.lowercased()) }
            .sorted { $0.path < $1.path }
        #expect(!files.isEmpty)
        for file in files {
            let read = try Self.reader(file)
            let layout = try MatroskaLayout.scan(budget: .init(reads: 4000, bytes: 64 << 20, blockByteCount: 4096), read: read)
            let first = try #require(layout.firstClusterOffset, "\(file.lastPathComponent)")
            #expect(try read(first, 4) == [0x1F, 0x43, 0xB6, 0x75], "\(file.lastPathComponent)")
            switch layout.indexLocation {
            case .head: #expect(try #require(layout.cues).offset < first)
            case .tail: #expect(try #require(layout.cues).offset > first)
            case .none: #expect(layout.ending == .endOfSegment)
            case .unknown: #expect(layout.ending != .found && layout.ending != .endOfSegment, "\(file.lastPathComponent)")
            }
            guard layout.cues != nil else { continue }
            let points = try Self.points(of: layout, read)
            #expect(try layout.indexCompleteness(of: points, read: read) != .absent, "\(file.lastPathComponent)")
        }
    }
}
