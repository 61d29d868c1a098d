internal import BitsAndTime
internal import Captions
internal import Foundation
internal import Libav
internal import SubtitleRenditions
internal import Subtitles
internal import TimedText

/// Reads a registered file, whatever it is.
struct ExternalSubtitleLoading: Sendable {
    /// Bytes of a file that is read whole: more than any text, and the pictures of a long film.
    private static let byteLimit = 256 << 20

    enum Failure: Error, Equatable, CustomStringConvertible {
        case unreadable(String)
        case noWords
        /// A pair of files of which the other one is not there.
        case noPartner(String)

        var description: String {
            switch self {
            case .unreadable(let reason): reason
            case .noWords: "it holds no words this engine reads"
            case .noPartner(let name): "\(name) is not beside it"
            }
        }
    }

    let external: ExternalSubtitle
    /// Sent where the file is at a server.
    let options: DemuxerOptions
    /// The film's, which MicroDVD counts pictures by.
    let frameRate: Ratio?

    func load(_ interrupter: Interrupter) throws -> ExternalCues.Content {
        let bytes = try read(external.url, interrupter)
        let ending = external.url.pathExtension.lowercased()
        if ending == "sup" || bytes.starts(with: "PG".utf8) && ending != "txt" { return try pictures(PictureFile(sup: bytes)) }
        if ending == "idx" || bytes.starts(with: "# VobSub index file".utf8) {
            return try pictures(PictureFile(index: text(bytes), subpictures: try read(partner("sub"), interrupter)))
        }
        if ending == "sub", bytes.starts(with: [0, 0, 1, 0xBA]) {
            return try pictures(PictureFile(index: text(try read(partner("idx"), interrupter)), subpictures: bytes))
        }
        if bytes.starts(with: "Scenarist_SCC".utf8) {
            let captions = try ScenaristFile(text(bytes)).captions()
            let channel = captions.map(\.channel).min()
            return .words(catalog(captions.filter { $0.channel == channel }.map(\.cue)))
        }
        var settings = SubtitleFile.Options(formatHint: ending.isEmpty ? nil : ending, language: external.language)
        settings.frameRate = frameRate
        settings.streamIndex = external.streamIndex
        settings.byteLimit = Self.byteLimit
        let file = try SubtitleFile(bytes: bytes, options: settings)
        guard let track = file.tracks.first(where: { $0.form == .words || $0.form == .teletext }) else { throw Failure.noWords }
        return .words(catalog(track.cues.map(\.cue)))
    }

    private func pictures(_ file: PictureFile) throws -> ExternalCues.Content {
        let track = external.streamIndex ?? file.tracks.firstIndex { $0.setCount > 0 } ?? 0
        guard file.tracks.indices.contains(track) else { throw Failure.noWords }
        return .pictures(file, track: track)
    }

    private func catalog(_ cues: [TextCue]) -> CueCatalog {
        var catalog = CueCatalog()
        for (number, cue) in cues.enumerated() { catalog.insert([cue], position: Int64(number)) }
        return catalog
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: TextEncoding.found(in: bytes, hint: nil, language: external.language).utf8(bytes).bytes, as: UTF8.self)
    }

    private func partner(_ ending: String) -> URL { external.url.deletingPathExtension().appendingPathExtension(ending) }

    private func read(_ url: URL, _ interrupter: Interrupter) throws -> [UInt8] {
        do {
            return try WholeFile.read(SourceLocator(url: url).libavURL, options: options, atMost: Self.byteLimit, interrupter: interrupter)
        } catch {
            if url != external.url { throw Failure.noPartner(url.lastPathComponent) }
            throw Failure.unreadable(PrismCoreError.classify(error, isFile: url.isFileURL).description)
        }
    }
}
