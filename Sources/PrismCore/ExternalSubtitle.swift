public import Foundation

/// A file of words beside the film, as a host registers it.
public struct ExternalSubtitle: Sendable, Equatable {
    /// On disk or at a server; read once. SubRip, WebVTT, ASS, SSA, TTML, STL, SCC, MicroDVD, SAMI and others, Matroska and MP4 with tracks of text,
    /// `.sup`, and `.idx` or `.sub` with the other one beside it. Its zero is the film's beginning.
    public let url: URL
    /// Any ISO 639 code, an RFC 5646 tag, an English name.
    public let language: String?
    /// For menus; `nil`: the language's.
    public let name: String?
    /// Only what has to be read by who understands the sound.
    public let isForced: Bool
    public let isHearingImpaired: Bool
    /// Of a container with several tracks, the one that is meant, by libavformat's number; of an `.idx`, by its place. `nil`: the first.
    public let streamIndex: Int?

    public init(url: URL, language: String? = nil, name: String? = nil, isForced: Bool = false, isHearingImpaired: Bool = false, streamIndex: Int? = nil) {
        self.streamIndex = streamIndex
        self.url = url
        self.language = language
        self.name = name
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
    }
}
