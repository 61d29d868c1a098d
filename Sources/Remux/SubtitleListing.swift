internal import HLS
internal import Languages

/// A subtitle rendition as the multivariant playlist lists it.
package struct SubtitleListing: Sendable, Hashable {
    package static let group = "subs"

    /// Its place among the session's subtitle renditions.
    package let number: Int
    /// Unique in its group.
    package let name: String
    /// As the container has it.
    package let language: String?
    /// Shown from the start.
    package let isDefault: Bool
    /// Only what has to be read by who understands the sound.
    package let isForced: Bool
    /// What a player may pick by itself.
    package let isAutoselect: Bool
    /// With what is heard besides speech.
    package let isHearingImpaired: Bool

    package init(
        number: Int, name: String, language: String?, isDefault: Bool, isForced: Bool, isAutoselect: Bool, isHearingImpaired: Bool
    ) {
        self.number = number
        self.name = name
        self.language = language
        self.isDefault = isDefault
        self.isForced = isForced
        self.isAutoselect = isAutoselect
        self.isHearingImpaired = isHearingImpaired
    }

    /// Folder prefix of a subtitle rendition's resources.
    package static func directory(_ number: Int) -> String { "subs\(number)/" }

    func rendition(in directory: String) -> MultivariantPlaylist.Rendition {
        MultivariantPlaylist.Rendition(
            type: .subtitles, groupID: Self.group, name: name, language: LanguageLabel.rfc5646(language), isDefault: isDefault, isAutoselect: isAutoselect,
            isForced: isForced,
            // Apple's HLS Authoring Specification 5.6.
            characteristics: isHearingImpaired ? ["public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound"] : [],
            uri: directory + Self.directory(number) + PlaylistBuilder.mediaPlaylistName)
    }
}
