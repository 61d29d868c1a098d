import Foundation
import Libav
import PrismCore
import SegmentVerification
import TestSupport

/// A session's output as a client sees it: playlists read, segments fetched.
struct ServedMedia {
    let session: PrismCoreSession
    let presentation: ServedPresentation
    let client = HTTPClient()

    static func serve(_ url: URL, options: PrismCoreSession.Options = .init(), _ body: (ServedMedia) async throws -> Void) async throws {
        let session = PrismCoreSession(url: url, options: options)
        do {
            let playlist = try await session.startWithoutHurry()
            try await body(ServedMedia(session: session, presentation: try await ServedPresentation(url: playlist, client: HTTPClient())))
        } catch {
            await session.stop()
            throw error
        }
        await session.stop()
    }

    /// Init segment and these segments of a rendition, as one stream.
    func bytes(_ rendition: ServedPresentation.Rendition, from: Int = 0) async throws -> [UInt8] {
        var bytes = try await client.get(rendition.initialization)
        for url in rendition.segments[from...] { bytes += try await client.get(url) }
        return bytes
    }
}

/// A source as libavformat and libavcodec read it from the file itself: what the served presentation must equal.
struct Reference {
    let decoded: DecodedFragment

    init(_ url: URL, stream: Int) async throws {
        decoded = try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result {
                    let demuxer = try Demuxer(url: url.path)
                    try demuxer.findStreamInfo()
                    return try DecodedFragment(demuxer: demuxer, streamIndex: stream)
                })
            }.start()
        }
    }
}
