internal import Languages
internal import Remux

/// Names audio renditions. Which of them plays first is ``AudioChoice``'s to say.
enum AudioSelection {
    /// NAME attributes, unique within their group.
    static func names(_ tracks: [TrackDescription]) -> [String] {
        RenditionNames.unique(
            tracks.map { track in
                .init(
                    language: track.language, title: track.title, purpose: track.candidate.purpose, channels: track.audio?.channels ?? 0,
                    hasObjects: track.audio?.jocComplexity != nil)
            })
    }
}
