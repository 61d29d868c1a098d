internal import Remux

/// Names audio renditions and picks the one that plays first.
enum AudioSelection {
    /// NAME attributes, unique within their group (RFC 8216 §4.3.4.1.1): players drop the second of two alike.
    static func names(_ tracks: [TrackDescription]) -> [String] {
        var used: Set<String> = []
        return tracks.enumerated().map { number, track in
            let language = track.language.flatMap(LanguageTag.englishName)
            let base = track.title.flatMap { $0.isEmpty ? nil : $0 } ?? language ?? "Audio \(number + 1)"
            var name = base
            if used.contains(name), let language, !base.contains(language) { name = "\(base) (\(language))" }
            if used.contains(name), let channels = track.audio?.channels { name = "\(base) (\(channelName(channels)))" }
            var counter = 2
            while used.contains(name) {
                name = "\(base) \(counter)"
                counter += 1
            }
            used.insert(name)
            return name
        }
    }

    private static func channelName(_ channels: Int) -> String {
        switch channels {
        case 1: "mono"
        case 2: "stereo"
        case 6: "5.1"
        case 8: "7.1"
        default: "\(channels) channels"
        }
    }

    /// The track to start with: the preferred language, then the original, then the container's default, then the first. Commentary and
    /// description come last in each.
    static func defaultIndex(_ tracks: [TrackDescription], preferredLanguage: String?) -> Int? {
        let preferred = preferredLanguage.flatMap(LanguageTag.rfc5646)
        func rank(_ track: TrackDescription) -> [Int] {
            let language = track.language.flatMap(LanguageTag.rfc5646)
            let match: Int
            switch (preferred, language) {
            case (let wanted?, let found?) where wanted.lowercased() == found.lowercased(): match = 2
            case (let wanted?, let found?) where primary(wanted) == primary(found): match = 1
            default: match = 0
            }
            return [match, track.isCommentary || track.isDescription ? 0 : 1, track.isOriginal ? 1 : 0, track.isDefault ? 1 : 0]
        }
        var best: (index: Int, rank: [Int])?
        for (index, track) in tracks.enumerated() {
            let candidate = rank(track)
            if best.map({ $0.rank.lexicographicallyPrecedes(candidate) }) ?? true { best = (index, candidate) }
        }
        return best?.index
    }

    private static func primary(_ tag: String) -> String { String(tag.lowercased().prefix { $0 != "-" }) }
}
