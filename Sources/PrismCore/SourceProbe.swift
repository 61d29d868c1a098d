public import Foundation
internal import Libav

/// Opens and describes sources. Blocking calls belong on a thread of the host's; `openDetached` brings its own.
public enum SourceProbe {
    /// The longest a probe may take, opening included.
    public static let budget = Duration.seconds(10)

    /// Describes a source and lets go of it.
    public static func probe(url: URL, httpHeaders: [String: String] = [:]) throws -> SourceInfo {
        try open(url: url, httpHeaders: httpHeaders).info
    }

    /// Opens a source and describes it; blocks for at most ``budget``.
    ///
    /// - Parameters:
    ///   - structure: How much of the container's layout to report; the more, the more is read.
    ///   - hdr10Plus: Whether to look for HDR10+ and HDR Vivid in the first pictures; `nil` reads nothing for it.
    /// - Throws: ``PrismCoreError``.
    public static func open(
        url: URL, httpHeaders: [String: String] = [:], structure: SourceStructure.Detail = .none, hdr10Plus: HDR10PlusScan? = nil
    ) throws(PrismCoreError) -> ProbedSource {
        let interrupter = Interrupter()
        interrupter.setDeadline(.now + budget)
        defer { interrupter.setDeadline(nil) }
        return try open(url: url, httpHeaders: httpHeaders, structure: structure, hdr10Plus: hdr10Plus, interrupter: interrupter)
    }

    static func open(
        url: URL, httpHeaders: [String: String], structure: SourceStructure.Detail, hdr10Plus: HDR10PlusScan? = nil, interrupter: Interrupter
    ) throws(PrismCoreError) -> ProbedSource {
        do {
            let analyzed = try AnalyzedSource(
                location: SourceLocator(url: url), options: demuxerOptions(httpHeaders), hdr10Plus: hdr10Plus, interrupter: interrupter)
            guard !analyzed.streams.isEmpty else { throw PrismCoreError.sourceNotMedia(reason: "no track could be read") }
            let layout = SourceStructureReader.read(url: url, analyzed: analyzed, detail: structure)
            return ProbedSource(url: url, analyzed: analyzed, structure: layout)
        } catch {
            throw PrismCoreError.classify(error, isFile: url.isFileURL)
        }
    }

    /// The same on a thread of its own. Cancelling the task ends the probe at once.
    public static func openDetached(
        url: URL, httpHeaders: [String: String] = [:], structure: SourceStructure.Detail = .none, hdr10Plus: HDR10PlusScan? = nil
    ) async throws -> ProbedSource {
        let interrupter = Interrupter()
        interrupter.setDeadline(.now + budget)
        defer { interrupter.setDeadline(nil) }
        return try await withTaskCancellationHandler {
            try await BlockingWork.run { try open(url: url, httpHeaders: httpHeaders, structure: structure, hdr10Plus: hdr10Plus, interrupter: interrupter) }
        } onCancel: {
            interrupter.cancel()
        }
    }

    static func demuxerOptions(_ httpHeaders: [String: String]) -> DemuxerOptions {
        var options = DemuxerOptions()
        options.httpHeaders = httpHeaders.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return options
    }
}
