internal import BitsAndTime
internal import Foundation
internal import HLS

/// The renditions a player fetches at first, picture and default sound, and how it goes through them.
struct ListedPresentation: Sendable {
    private struct Rendition: Sendable {
        let playlistURL: URL
        var playlist: MediaPlaylist

        func segmentURL(_ index: Int) -> URL? {
            playlist.segments.indices.contains(index) ? URL(string: playlist.segments[index].uri, relativeTo: playlistURL)?.absoluteURL : nil
        }

        var initializationURL: URL? { playlist.map.flatMap { URL(string: $0, relativeTo: playlistURL)?.absoluteURL } }
    }

    /// How long a playlist may list nothing new before the drain gives up on it.
    private static let patience: Duration = .seconds(60)

    private let renditions: [Rendition]

    init(_ url: URL, _ client: FetchClient) throws {
        let multivariant = try MultivariantPlaylist(parsing: try Self.text(url, client))
        guard let variant = multivariant.variants.first else { throw SourceBenchmark.Failure.playlist("the multivariant playlist has no variant") }
        let sound = multivariant.renditions.filter { $0.type == .audio && $0.groupID == variant.audioGroup }
        let uris = [variant.uri, (sound.first { $0.isDefault } ?? sound.first)?.uri].compactMap { $0 }
        renditions = try uris.map { uri in
            guard let playlistURL = URL(string: uri, relativeTo: url)?.absoluteURL else { throw SourceBenchmark.Failure.playlist("\(uri) is no address") }
            return Rendition(playlistURL: playlistURL, playlist: try MediaPlaylist(parsing: try Self.text(playlistURL, client)))
        }
    }

    private static func text(_ url: URL, _ client: FetchClient) throws -> String {
        guard let text = String(validating: try client.get(url, keepsBody: true).body, as: UTF8.self) else {
            throw SourceBenchmark.Failure.playlist("\(url.path) is not UTF-8")
        }
        return text
    }

    func fetchInitialization(_ client: FetchClient, _ sink: ([UInt8]) -> Void) throws {
        for url in renditions.compactMap(\.initializationURL) { sink(try client.get(url, keepsBody: true).body) }
    }

    /// Init segments and the first segment of each rendition.
    ///
    /// - Returns: Milliseconds from `instant` to the last byte of the first video segment.
    func fetchFirst(_ client: FetchClient, since instant: ContinuousClock.Instant) throws -> Double {
        var first = 0.0
        for (number, rendition) in renditions.enumerated() {
            if let url = rendition.initializationURL { _ = try client.get(url) }
            if let url = rendition.segmentURL(0) { _ = try client.get(url) }
            if number == 0 { first = (ContinuousClock.now - instant).milliseconds }
        }
        return first
    }

    /// Whether every segment is listed from the start.
    var isPlanned: Bool { renditions.first.map { $0.playlist.isEnded && $0.playlist.playlistType == .vod } ?? false }

    /// Random places, each nothing was produced for yet.
    ///
    /// - Returns: Milliseconds for all renditions of each place; empty for a playlist that is not complete.
    func seek(_ client: FetchClient) throws -> [Double] {
        guard isPlanned, let video = renditions.first else { return [] }
        var random = SplitMix(state: 0x5EED)
        let last = video.playlist.segments.count - 1
        guard last > 1 else { return [] }
        // Ascending places would ride on what is produced ahead of each.
        var places: [Int] = []
        for _ in 0..<(SourceBenchmark.seekCount * 8) where places.count < min(SourceBenchmark.seekCount, last / 2) {
            let place = 1 + Int(random.next() % UInt64(last))
            if !places.contains(where: { abs($0 - place) < 2 }) { places.append(place) }
        }
        return try places.map { place in
            let began = ContinuousClock.now
            for rendition in renditions {
                if let url = rendition.segmentURL(place) { _ = try client.get(url) }
            }
            return (ContinuousClock.now - began).milliseconds
        }
    }

    /// Every segment of every rendition, in order, following a playlist that grows.
    ///
    /// - Parameter sink: Given each segment's rendition and bytes; without it they are dropped.
    func drain(_ client: FetchClient, _ sink: ((Int, [UInt8]) -> Void)? = nil) throws -> BenchmarkReport.Drain {
        let began = ContinuousClock.now
        let cpu = ResourceUsage.processSeconds - ResourceUsage.threadSeconds
        var renditions = renditions
        var next = renditions.map(\.playlist.mediaSequenceNumber)
        var times: [Double] = []
        var bytes = 0
        var seconds = 0.0
        var progress = ContinuousClock.now
        while true {
            var isDone = true
            for number in renditions.indices {
                let playlist = renditions[number].playlist
                let index = next[number] - playlist.mediaSequenceNumber
                if index >= playlist.segments.count {
                    if playlist.isEnded { continue }
                    isDone = false
                    guard ContinuousClock.now - progress < Self.patience else { throw SourceBenchmark.Failure.playlist("a playlist lists nothing new") }
                    usleep(2000)
                    renditions[number].playlist = try MediaPlaylist(parsing: try Self.text(renditions[number].playlistURL, client))
                    continue
                }
                isDone = false
                guard index >= 0, let url = renditions[number].segmentURL(index) else { throw SourceBenchmark.Failure.playlist("a segment left the playlist unread") }
                let fetched = try client.get(url, keepsBody: sink != nil)
                sink?(number, fetched.body)
                progress = .now
                bytes += fetched.byteCount
                if number == 0 {
                    times.append(fetched.toLastByte.milliseconds)
                    seconds += playlist.segments[index].duration.seconds
                }
                next[number] += 1
            }
            if isDone { break }
        }
        let used = ResourceUsage.processSeconds - ResourceUsage.threadSeconds - cpu
        return BenchmarkReport.Drain(
            segments: times.count, bytes: bytes, mediaSeconds: seconds, milliseconds: (ContinuousClock.now - began).milliseconds, cpuMilliseconds: used * 1000,
            cpuSecondsPerGigabyte: bytes > 0 ? used / (Double(bytes) / 1e9) : 0, segment: BenchmarkReport.Spread(times))
    }
}

/// SplitMix64: the same places in every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
