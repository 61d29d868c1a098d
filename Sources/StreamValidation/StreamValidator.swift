package import Foundation
internal import BitsAndTime
internal import Bitstreams

/// Reads a presentation as a player would, and holds every part of it against the rules.
///
/// Fetching is here; the rules are in the `…Check` types, which see bytes and values only.
package struct StreamValidator: Sendable {
    /// How long a playlist that grows is followed.
    package enum Following: Sendable, Equatable {
        /// Read again so often, half a target duration apart.
        case reloads(Int)
        /// Until every playlist has its end, or nothing has come for ten seconds.
        case untilEnd
    }

    private let fetcher: any ResourceFetcher
    private let following: Following
    private let pause: @Sendable (Duration) async -> Void

    /// - Parameter pause: Waits between two readings of a playlist.
    package init(
        fetcher: any ResourceFetcher, following: Following = .reloads(2),
        pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.fetcher = fetcher
        self.following = following
        self.pause = pause
    }

    /// Validates the playlist at `url` and everything it names.
    ///
    /// - Parameter progress: Told after each segment: how many are done, and of how many that are known.
    /// - Throws: `FetchFailure` where the playlist itself does not come; all else is a finding.
    package func validate(_ url: URL, progress: (Int, Int) -> Void = { _, _ in }) async throws(FetchFailure) -> ValidationReport {
        var findings = Findings(part: "playlist")
        var report = ValidationReport(url: url.absoluteString)
        let fetched = try await fetcher.fetch(url, range: nil)
        let name = url.lastPathComponent
        let document = PlaylistDocument(name: name, bytes: fetched.bytes)
        var renditions: [RenditionRecord] = []
        var multivariant: MultivariantModel?
        if document.kind == .multivariant {
            findings.part = "multivariant"
            DeliveryCheck.check(fetched, .playlist, asked: url, name: name, into: &findings)
            PlaylistSyntaxCheck.check(document, into: &findings)
            let model = MultivariantModel(document)
            MultivariantCheck.check(model, in: document, into: &findings)
            multivariant = model
            report.playlists = 1
            for candidate in Self.candidates(model, base: fetched.url, into: &findings, document) {
                if let record = await read(candidate, into: &findings) { renditions.append(record) }
            }
        } else {
            findings.part = "media"
            let candidate = Candidate(part: "media", role: .main, name: name, url: fetched.url, media: nil, variants: [], line: nil)
            if let record = Self.record(candidate, fetched, asked: url, into: &findings) { renditions = [record] }
        }
        report.playlists += renditions.count
        await readSegments(&renditions, independent: multivariant?.isIndependent ?? false, report: &report, into: &findings, progress: progress)
        conclude(renditions, multivariant, document, into: &findings)
        report.findings = findings.all
        report.omitted = findings.omitted
        return report
    }

    // MARK: Playlists

    struct Candidate {
        let part: String
        let role: RenditionRecord.Role
        let name: String
        let url: URL
        let media: MultivariantModel.Media?
        var variants: [Int]
        let line: Int?
    }

    /// The media playlists a multivariant one names, each once.
    private static func candidates(_ model: MultivariantModel, base: URL, into findings: inout Findings, _ document: PlaylistDocument) -> [Candidate] {
        var candidates: [Candidate] = []
        func resolve(_ uri: String, _ line: Int) -> URL? {
            let url = uri.isEmpty ? nil : URL(string: uri, relativeTo: base)?.absoluteURL
            if url == nil { findings.add(.uri, document.place(line), "\"\(uri)\" is no URI") }
            return url
        }
        for (index, variant) in model.variants.enumerated() {
            guard let uri = variant.uri, let url = resolve(uri, variant.line) else { continue }
            if let known = candidates.firstIndex(where: { $0.url == url && $0.role == (variant.isFramesOnly ? .framesOnly : .main) }) {
                candidates[known].variants.append(index)
                continue
            }
            let number = candidates.count { $0.role == .main } + 1
            let part = variant.isFramesOnly ? "i-frames \(uri)" : number == 1 ? "variant" : "variant \(number)"
            candidates.append(
                Candidate(part: part, role: variant.isFramesOnly ? .framesOnly : .main, name: uri, url: url, media: nil, variants: [index], line: variant.line))
        }
        for media in model.media {
            guard let uri = media.uri, let url = resolve(uri, media.line), !candidates.contains(where: { $0.url == url && $0.media?.group == media.group }) else { continue }
            let role: RenditionRecord.Role = media.type == "AUDIO" ? .audio : media.type == "SUBTITLES" ? .subtitles : .video
            candidates.append(Candidate(part: "\(media.type.lowercased()) \(media.name)", role: role, name: uri, url: url, media: media, variants: [], line: media.line))
        }
        // I-frame playlists last: the timeline is that of what is played.
        return candidates.filter { $0.role != .framesOnly } + candidates.filter { $0.role == .framesOnly }
    }

    private func read(_ candidate: Candidate, into findings: inout Findings) async -> RenditionRecord? {
        findings.part = candidate.part
        do throws(FetchFailure) {
            let fetched = try await fetcher.fetch(candidate.url, range: nil)
            return Self.record(candidate, fetched, asked: candidate.url, into: &findings)
        } catch {
            findings.add(.unreachable, Place(candidate.name), error.description)
            return nil
        }
    }

    private static func record(_ candidate: Candidate, _ fetched: Fetched, asked: URL, into findings: inout Findings) -> RenditionRecord? {
        let document = PlaylistDocument(name: candidate.name, bytes: fetched.bytes)
        DeliveryCheck.check(fetched, .playlist, asked: asked, name: candidate.name, into: &findings)
        PlaylistSyntaxCheck.check(document, into: &findings)
        guard document.kind != .multivariant else {
            findings.add(.wrongPlaylist, document.place(), "a multivariant playlist where a media playlist belongs")
            return nil
        }
        let model = MediaPlaylistModel(document)
        if document.kind == .media { MediaPlaylistCheck.check(model, in: document, into: &findings) }
        if (candidate.role == .framesOnly) != model.isFramesOnly {
            findings.add(.framesOnlyClaim, document.place(), model.isFramesOnly ? "EXT-X-I-FRAMES-ONLY in a playlist to be played" : "no EXT-X-I-FRAMES-ONLY")
        }
        return RenditionRecord(
            part: candidate.part, role: candidate.role, name: candidate.name, url: fetched.url, media: candidate.media, variants: candidate.variants, model: model)
    }

    // MARK: Segments

    private func readSegments(
        _ renditions: inout [RenditionRecord], independent: Bool, report: inout ValidationReport, into findings: inout Findings, progress: (Int, Int) -> Void
    ) async {
        let reader = SegmentReader(fetcher: fetcher, isIndependent: independent)
        var origin: MediaTime?
        var reloads = 0
        var idle = 0
        while true {
            // In step, so that a server producing as it is asked need not go back.
            while renditions.contains(where: { $0.fetched < $0.segments.count }) {
                for index in renditions.indices where renditions[index].fetched < renditions[index].segments.count {
                    findings.part = renditions[index].part
                    report.bytes += await reader.readNext(of: &renditions[index], origin: origin, into: &findings)
                    report.segments += 1
                    if origin == nil { origin = TimelineCheck.origins(renditions)[0] }
                    progress(report.segments, renditions.reduce(0) { $0 + $1.segments.count })
                }
            }
            guard renditions.contains(where: { !$0.model.isEnded }) else { return }
            let target = renditions.compactMap(\.model.target).max() ?? 6
            switch following {
            case .reloads(let limit):
                guard reloads < limit else { return }
                await pause(.milliseconds(min(max(target, 1), 20) * 500))
            case .untilEnd:
                guard idle < 200 else { return }
                await pause(.milliseconds(50))
            }
            reloads += 1
            idle = await reload(&renditions, into: &findings) ? 0 : idle + 1
        }
    }

    /// - Returns: Whether anything came.
    private func reload(_ renditions: inout [RenditionRecord], into findings: inout Findings) async -> Bool {
        var changed = false
        for index in renditions.indices where !renditions[index].model.isEnded {
            let name = renditions[index].name
            findings.part = renditions[index].part
            do throws(FetchFailure) {
                let fetched = try await fetcher.fetch(renditions[index].url, range: nil)
                let document = PlaylistDocument(name: name, bytes: fetched.bytes)
                let model = MediaPlaylistModel(document)
                guard model != renditions[index].model else { continue }
                changed = true
                // What was wrong before was told of; a first look at the new text is enough to see new faults.
                var fresh = Findings(part: findings.part)
                PlaylistSyntaxCheck.check(document, into: &fresh)
                MediaPlaylistCheck.check(model, in: document, into: &fresh)
                findings.merge(fresh)
                ReloadCheck.check(before: renditions[index].model, after: model, at: Place(name), into: &findings)
                renditions[index].list(model)
            } catch {
                findings.add(.unreachable, Place(name), error.description)
            }
        }
        return changed
    }

    // MARK: All together

    private func conclude(_ renditions: [RenditionRecord], _ multivariant: MultivariantModel?, _ document: PlaylistDocument, into findings: inout Findings) {
        let origins = TimelineCheck.origins(renditions)
        for rendition in renditions {
            findings.part = rendition.part
            if rendition.role != .framesOnly { TimelineCheck.check(rendition, origins: origins, into: &findings) }
            ClaimCheck.check(rendition, into: &findings)
        }
        RenditionAgreementCheck.check(renditions, into: &findings)
        guard let multivariant else { return }
        findings.part = "multivariant"
        for (index, variant) in multivariant.variants.enumerated() {
            ClaimCheck.check(variant, index: index, multivariant, renditions, at: document.place(variant.line), into: &findings)
            BitRateCheck.check(variant, index: index, multivariant, renditions, at: document.place(variant.line), into: &findings)
        }
        checkIndependence(renditions, multivariant, document, into: &findings)
    }

    private func checkIndependence(_ renditions: [RenditionRecord], _ multivariant: MultivariantModel, _ document: PlaylistDocument, into findings: inout Findings) {
        let videos = renditions.filter { $0.role == .main && $0.videoTrack != nil }
        guard !multivariant.isIndependent, !videos.isEmpty, !videos.allSatisfy(\.model.isIndependent) else { return }
        let runs = videos.flatMap(\.segments).compactMap { $0.facts?.run(.video) }
        guard !runs.isEmpty, runs.allSatisfy({ $0.opensOnSync && $0.opening == .idr && $0.skippedPictures == 0 }) else { return }
        findings.add(.independenceUnsaid, document.place(), "every segment opens with an IDR picture, and EXT-X-INDEPENDENT-SEGMENTS is not there")
    }
}

extension Rule {
    static let uri = Rule("playlist.uri", .must, "RFC 8216 §4.1, RFC 3986", fix: "Write a URI.")
    static let wrongPlaylist = Rule("playlist.nested", .must, "RFC 8216 §4.3.4", fix: "Let variants and renditions name media playlists.")
    static let framesOnlyClaim = Rule(
        "playlist.i-frames-only", .must, "RFC 8216 §4.3.4.3, Apple HLS Authoring 6.8", fix: "Say EXT-X-I-FRAMES-ONLY in I-frame playlists, and in them alone.")
    static let independenceUnsaid = Rule("variant.independent-unsaid", .should, "Apple HLS Authoring 9.11, 9.12", fix: "Add EXT-X-INDEPENDENT-SEGMENTS.")
}
