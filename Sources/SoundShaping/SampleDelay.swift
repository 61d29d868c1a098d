/// Samples of several channels on their way through a stage that looks ahead.
struct SampleDelay: Sendable {
    private(set) var planes: [[Float]]

    init(channels: Int) { planes = [[Float]](repeating: [], count: channels) }

    var count: Int { planes.first?.count ?? 0 }

    mutating func append(_ more: [[Float]]) {
        for channel in planes.indices { planes[channel].append(contentsOf: more[channel]) }
    }

    /// The oldest samples.
    mutating func take(_ count: Int) -> [[Float]] {
        let count = min(max(count, 0), self.count)
        return planes.indices.map { channel in
            defer { planes[channel].removeFirst(count) }
            return Array(planes[channel][..<count])
        }
    }
}
