import Foundation
import PrismCore

/// `probe`: what a source is and what would play it.
struct ProbeCommand {
    private struct Report: Encodable {
        struct Timing: Encodable { var open, streamInfo, describe, total: Double }
        var source: SourceInfo
        var structure: SourceStructure?
        var engine: String?
        var reason: String
        var timing: Timing
        var bytesRead: Int64
        var ffmpeg: [FFmpegBuild.Library]
    }

    private let url: URL
    private let headers: [String: String]
    private let asJSON: Bool
    private let structure: SourceStructure.Detail

    init(_ arguments: ArgumentParser) throws(UsageError) {
        url = try arguments.sourceURL()
        headers = arguments.headers
        asJSON = arguments.has("--json")
        switch arguments.value("--structure") ?? "none" {
        case "none": structure = .none
        case "layout": structure = .layout
        case "full": structure = .full
        default: throw UsageError("--structure takes none, layout or full")
        }
    }

    func run() async throws -> Int32 {
        let probed = try await SourceProbe.openDetached(url: url, httpHeaders: headers, structure: structure, hdr10Plus: .standard)
        let verdict = Result { try PrismCoreEngine.decide(for: probed.info) }
        let (engine, reason) =
            switch verdict {
            case .success(let decision): (Optional(decision.engine.rawValue), decision.reason)
            case .failure(let error): (nil, Failure.text(error))
            }
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            let report = Report(
                source: probed.info, structure: structure == .none ? nil : probed.structure, engine: engine, reason: reason,
                timing: .init(open: seconds(probed.timing.open), streamInfo: seconds(probed.timing.streamInfo), describe: seconds(probed.timing.describe), total: seconds(probed.timing.total)),
                bytesRead: probed.bytesRead, ffmpeg: FFmpegBuild.libraries)
            Terminal.line(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            describe(probed, engine: engine, reason: reason)
        }
        return 0
    }

    private func seconds(_ duration: Duration) -> Double { Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18 }

    private func describe(_ probed: ProbedSource, engine: String?, reason: String) {
        let info = probed.info
        Terminal.line("container: \(info.formatName)" + (info.duration.map { String(format: ", %.3f s", $0) } ?? ", duration unknown"))
        if let video = info.video {
            var line = "video #\(video.streamIndex): \(video.codec)"
            if let profile = video.profile { line += " \(profile)" }
            line += ", \(video.width)x\(video.height)"
            if video.sampleAspectRatio != [1, 1] { line += " (samples \(video.sampleAspectRatio[0]):\(video.sampleAspectRatio[1]))" }
            if let depth = video.bitDepth { line += ", \(depth) bit" }
            line += ", \(HDRWords.format(video, of: info))"
            if let rate = video.frameRate { line += String(format: ", %.3f fps (%@)", Double(rate[0]) / Double(rate[1]), video.frameRateSource.rawValue) }
            Terminal.line(line + describe(video.readiness))
            for line in HDRWords.lines(video, of: info) { Terminal.line(line) }
        }
        for track in info.audioTracks {
            var line = "audio #\(track.streamIndex): \(track.codec), \(track.channelLayout ?? "\(track.channels) channels"), \(track.sampleRate) Hz"
            if let language = track.language { line += ", \(language)" + (track.languageTag.map { $0 == language ? "" : " (\($0))" } ?? "") }
            let flags = [
                (track.isDefault, "default"), (track.isOriginal, "original"), (track.isDub, "dub"), (track.isCommentary, "commentary"),
                (track.isDescription, "audio description"), (track.isHearingImpaired, "hearing impaired"),
            ]
            for (isSet, word) in flags where isSet { line += ", \(word)" }
            if let title = track.title { line += ", “\(title)”" }
            switch track.objectAudio {
            case .jointObjectCoding: line += ", Atmos (JOC, complexity \(track.jocComplexity ?? 0))"
            case .trueHD: line += ", Atmos (TrueHD objects)"
            case .dtsX: line += ", DTS:X"
            case nil: break
            }
            Terminal.line(line + describe(track.readiness))
        }
        for track in info.subtitleTracks {
            Terminal.line("subtitles #\(track.streamIndex): \(track.codec), \(track.kind.rawValue)" + (track.language.map { ", \($0)" } ?? "") + (track.isForced ? ", forced" : ""))
        }
        for chapter in info.chapters { Terminal.line(String(format: "chapter: %.3f s %@", chapter.start, chapter.title ?? "")) }
        if structure != .none {
            let layout = probed.structure
            Terminal.line("layout: metadata to \(layout.metadataEndOffset.map(String.init) ?? "?"), media from \(layout.firstClusterOffset.map(String.init) ?? "?"), index \(layout.indexLocation.rawValue)")
            if let index = layout.index { Terminal.line("index: \(index.keyframes.count) keyframes on the \(index.axis) axis, \(index.completeness.rawValue)") }
        }
        if let plan = probed.structure.plan {
            switch plan.evidence {
            case .containerIndex: Terminal.line("plan: \(plan.segments) segments, from the index")
            case .headerScan: Terminal.line("plan: \(plan.segments) segments, from a scan of the headers")
            case .none: Terminal.line("plan: none, \(plan.reason ?? "")")
            }
        }
        Terminal.line("engine: \(engine ?? "none") (\(reason))")
        Terminal.line("probed in \(Terminal.seconds(probed.timing.total)), \(probed.bytesRead) bytes read")
    }

    private func describe(_ readiness: NativeReadiness) -> String {
        switch readiness {
        case .streamCopy: " — copied"
        case .requiresAudioBridge(let reason): " — bridged: \(reason)"
        case .unsupported(let reason): " — left out: \(reason)"
        }
    }
}
