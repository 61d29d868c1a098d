public import Foundation

/// A file of words beside the film, as a host registers it.
public struct ExternalSubtitle: Sendable, Equatable {
    /// On disk or at a server; read once.
    public let url: URL
    /// Any ISO 639 code, an RFC 5646 tag, an English name.
    public let language: String?
    /// For menus; `nil`: the language's.
    public let name: String?
    /// Only what has to be read by who understands the sound.
    public let isForced: Bool
    public let isHearingImpaired: Bool

    public init(url: URL, language: String? = nil, name: String? = nil, isForced: Bool = false, isHearingImpaired: Bool = false) {
        self.url = url
        self.language = language
        self.name = name
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
    }
}
