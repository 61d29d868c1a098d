/// Places for pictures that an edit list hides and that others refer to: decoded everywhere, seen nowhere.
///
/// Each takes up one tick. Those before a picture that is shown begin with it, and it follows them; those behind the last one take up the
/// end of its time. An offset edit list in the init segment could hide the first ones (ISO/IEC 14496-12 §8.6.6), but Media Source
/// implementations drop what it moves below zero, the keyframe first, and with it all up to the next one; and it could not hide any others.
/// Works on one segment, which opens on a random-access picture, and so does not depend on where reading began.
enum HiddenPictures {
    /// Presentation times of `samples`, in their order.
    static func times(of samples: [VideoSample]) -> [Int64] {
        var times = samples.map(\.pts)
        var before: [Int: [Int]] = [:]
        var behind: [Int: [Int]] = [:]
        // Hidden pictures of a group none of which is shown wait for the next one.
        var waiting: [Int] = []
        var latest: Int?
        for group in groups(samples) {
            let shown = group.filter { !samples[$0].isHidden }.sorted { (samples[$0].pts, $0) < (samples[$1].pts, $1) }
            let hidden = group.filter { samples[$0].isHidden }.sorted { (samples[$0].pts, $0) < (samples[$1].pts, $1) }
            guard let first = shown.first, let last = shown.last else {
                waiting += hidden
                continue
            }
            before[first, default: []] += waiting
            waiting = []
            for picture in hidden {
                if let next = shown.first(where: { samples[$0].pts > samples[picture].pts }) {
                    before[next, default: []].append(picture)
                } else {
                    behind[last, default: []].append(picture)
                }
            }
            latest = last
        }
        if let latest { behind[latest, default: []] += waiting }
        for (shown, hidden) in before {
            for (place, picture) in hidden.enumerated() { times[picture] = samples[shown].pts &+ Int64(place) }
            times[shown] = samples[shown].pts &+ Int64(hidden.count)
        }
        for (shown, hidden) in behind {
            let end = max(samples[shown].pts &+ samples[shown].durationTicks, times[shown] &+ Int64(hidden.count) &+ 1)
            for (place, picture) in hidden.enumerated() { times[picture] = end &- Int64(hidden.count - place) }
        }
        return times
    }

    /// Random-access pictures, each with what follows it in the file: one stretch of an edit begins with one.
    private static func groups(_ samples: [VideoSample]) -> [Range<Int>] {
        let starts = [0] + samples.indices.dropFirst().filter { samples[$0].isSync }
        return starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : samples.count) }
    }
}
