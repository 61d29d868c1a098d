internal import Dispatch
internal import Foundation
internal import StreamValidation

/// The validator over a playlist that is the input, or over one of ours whose init segment and segments it is.
@Sendable func fuzzValidation(_ input: [UInt8]) {
    let isPlaylist = input.starts(with: Array("#EXTM3U".utf8))
    for playlist in isPlaylist ? [input] : [media, subtitles] {
        let fetcher = InputFetcher(playlist: playlist, input: input)
        let ended = DispatchSemaphore(value: 0)
        Task {
            _ = try? await StreamValidator(fetcher: fetcher, following: .reloads(1), pause: { _ in }).validate(InputFetcher.address)
            ended.signal()
        }
        ended.wait()
    }
}

private let media = Array(
    "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:1,\n0.m4s\n#EXTINF:1,\n1.m4s\n#EXT-X-ENDLIST\n".utf8)
private let subtitles = Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0.vtt\n#EXT-X-ENDLIST\n".utf8)

private struct InputFetcher: ResourceFetcher {
    static let address = URL(filePath: "/p/index.m3u8")
    let playlist: [UInt8]
    let input: [UInt8]

    func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched {
        let bytes = url == Self.address ? playlist : input
        guard let range else { return Fetched(bytes: bytes, url: url) }
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { throw FetchFailure("beyond the end") }
        return Fetched(bytes: Array(bytes[range]), url: url)
    }
}
