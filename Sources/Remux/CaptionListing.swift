internal import HLS
internal import Languages

/// Captions in the picture as the multivariant playlist lists them, for a player that decodes them itself.
package struct CaptionListing: Sendable, Hashable {
    package static let group = "captions"

    /// CC1…CC4, SERVICE1…SERVICE63 (RFC 8216bis §4.4.6.1).
    package let instreamIdentifier: String
    package let language: String?

    package init(instreamIdentifier: String, language: String?) {
        self.instreamIdentifier = instreamIdentifier
        self.language = language
    }

    var rendition: MultivariantPlaylist.Rendition {
        let label = LanguageLabel.englishName(language).map { "\($0) (\(instreamIdentifier))" }
        return MultivariantPlaylist.Rendition(
            type: .closedCaptions, groupID: Self.group, name: label ?? instreamIdentifier, language: LanguageLabel.rfc5646(language), isAutoselect: true,
            instreamID: instreamIdentifier)
    }
}
