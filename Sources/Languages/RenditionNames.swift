/// NAME attributes of the renditions of one group.
///
/// Unique within it (RFC 8216 §4.3.4.1.1): players drop the second of two alike. They are what menus show, so two of one title are told apart
/// by what makes them different before anything is counted.
package enum RenditionNames {
    /// What a name is made of.
    package struct Track: Sendable, Hashable {
        package var language: String?
        package var title: String?
        package var purpose: TrackPurpose
        package var channels: Int
        /// Served with sound objects in it (Dolby Atmos).
        package var hasObjects: Bool
        /// Words, not sound.
        package var isSubtitle: Bool
        /// Of words: only what has to be read by who understands the sound.
        package var isForced: Bool

        package init(
            language: String? = nil, title: String? = nil, purpose: TrackPurpose = .programme, channels: Int = 2, hasObjects: Bool = false,
            isSubtitle: Bool = false, isForced: Bool = false
        ) {
            self.isSubtitle = isSubtitle
            self.isForced = isForced
            self.language = language
            self.title = title
            self.purpose = purpose
            self.channels = channels
            self.hasObjects = hasObjects
        }
    }

    /// One name a track, in their order.
    package static func unique(_ tracks: [Track]) -> [String] {
        let bases = tracks.enumerated().map { base($1, number: $0 + 1) }
        var names = bases
        var details = tracks.map { _ in [String]() }
        for detail in [language, purpose, forced, channels] {
            var alike: [String: [Int]] = [:]
            for (index, name) in names.enumerated() { alike[name, default: []].append(index) }
            for group in alike.values where group.count > 1 {
                let words = group.map { detail(tracks[$0]) }
                guard Set(words).count > 1 else { continue }  // It tells none of them apart.
                for (index, word) in zip(group, words) {
                    guard let word, !bases[index].lowercased().contains(word.lowercased()) else { continue }
                    details[index].append(word)
                    names[index] = "\(bases[index]) (\(details[index].joined(separator: ", ")))"
                }
            }
        }
        var used: Set<String> = []
        var counts = Set(names)
        return names.map { name in
            guard !used.insert(name).inserted else { return name }
            var counter = 2
            while !counts.insert("\(name) \(counter)").inserted { counter += 1 }
            used.insert("\(name) \(counter)")
            return "\(name) \(counter)"
        }
    }

    private static func base(_ track: Track, number: Int) -> String {
        if let title = track.title.map(written), !title.isEmpty { return title }
        let language = language(track)
        let qualities = [forced(track), purpose(track)].compactMap { $0 }
        switch (language, qualities.isEmpty ? nil : qualities.joined(separator: ", ")) {
        case (let language?, let purpose?): return "\(language) (\(purpose))"
        case (let language?, nil): return language
        case (nil, let purpose?): return purpose.prefix(1).uppercased() + purpose.dropFirst()
        case (nil, nil): return track.isSubtitle ? "Subtitles \(number)" : track.hasObjects ? "Dolby Atmos" : "Audio \(number)"
        }
    }

    /// A title as a quoted string can hold it (RFC 8216 §4.2): names have to differ in what is written, and in what is seen.
    private static func written(_ title: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in title.unicodeScalars.prefix(200) {
            safe.append(scalar == "\"" ? "'" : scalar.properties.generalCategory == .control || scalar.properties.isWhitespace ? " " : scalar)
        }
        return String(safe).split(separator: " ").joined(separator: " ")
    }

    private static func language(_ track: Track) -> String? { LanguageLabel.englishName(track.language) }
    private static func purpose(_ track: Track) -> String? { track.isSubtitle && track.purpose == .hearingImpaired ? "SDH" : track.purpose.englishName }
    private static func forced(_ track: Track) -> String? { track.isForced ? "forced" : nil }

    private static func channels(_ track: Track) -> String? {
        if track.isSubtitle { return nil }
        return switch track.channels {
        case ...0: nil
        case 1: "mono"
        case 2: "stereo"
        case 6: "5.1"
        case 8: "7.1"
        case let count: "\(count) channels"
        }
    }
}
