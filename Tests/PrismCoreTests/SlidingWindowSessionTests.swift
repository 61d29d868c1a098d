import Foundation
import HLS
import Locks
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// A source that comes through a pipe, served with a window and as an EVENT, and read as a player reads it.
@Suite(.fewAtATime) struct SlidingWindowSessionTests {
    /// What a player does with one playlist: reads it again and again, and fetches what is new.
    private struct Follower {
        let url: URL
        let client = HTTPClient()
        /// Whether a listed file may be gone.
        var toleratesLoss = false
        var sequence = 0
        var versions: [MediaPlaylist] = []
        /// By media sequence number.
        var names: [Int: String] = [:]
        var bytes: [Int: [UInt8]] = [:]

        var last: MediaPlaylist? { versions.last }
        var isOver: Bool { last.map { $0.isEnded && bytes[$0.mediaSequenceNumber + $0.segments.count - 1] != nil } ?? false }

        mutating func poll() async throws {
            let playlist = try MediaPlaylist(parsing: String(decoding: try await client.get(url), as: UTF8.self))
            #expect(playlist.mediaSequenceNumber >= sequence)
            sequence = playlist.mediaSequenceNumber
            for (at, segment) in playlist.segments.enumerated() {
                let number = playlist.mediaSequenceNumber + at
                #expect(names[number, default: segment.uri] == segment.uri, "a number keeps its name")
                names[number] = segment.uri
                guard bytes[number] == nil else { continue }
                do {
                    bytes[number] = try await fetch(segment.uri)
                } catch HTTPClient.Failure.status(404, _) where toleratesLoss {
                    bytes[number] = []
                }
            }
            if playlist.mediaSequenceNumber > 0 {
                let listed = playlist.segments.reduce(0) { $0 + $1.duration.seconds }
                #expect(listed >= Double(playlist.targetDurationSeconds) * 3)
            }
            versions.append(playlist)
        }

        func fetch(_ name: String) async throws -> [UInt8] { try await client.get(try #require(URL(string: name, relativeTo: url)).absoluteURL) }
    }

    private func follow(
        _ options: PrismCoreSession.Options, seconds: Int, arguments: String, clock: (@Sendable () -> Duration)? = nil, toleratesLoss: Bool = false,
        during: (Follower) -> Void = { _ in }, _ check: (_ video: Follower, _ audio: Follower) async throws -> Void
    ) async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mkv", "\(FFmpegFixture.inputs(seconds: seconds)) -c:v libx264 -preset ultrafast -bf 0 -g 48 \(arguments)")
        let pipe = try PipedSource(film, in: fixture)
        let session = PrismCoreSession(url: pipe.url, httpHeaders: [:], options: options, probed: nil, supplements: { _ in [:] }, clock: clock)
        do {
            let master = try await session.startWithoutHurry()
            var video = Follower(url: try #require(URL(string: "index.m3u8", relativeTo: master)).absoluteURL)
            var audio = Follower(url: try #require(URL(string: "audio0/index.m3u8", relativeTo: master)).absoluteURL)
            video.toleratesLoss = toleratesLoss
            audio.toleratesLoss = toleratesLoss
            for _ in 0..<2000 where !(video.isOver && audio.isOver) {
                try await video.poll()
                try await audio.poll()
                during(video)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(video.isOver && audio.isOver)
            try await check(video, audio)
        } catch {
            await session.stop()
            throw error
        }
        await session.stop()
        withExtendedLifetime(pipe) {}
    }

    @Test func entriesLeaveTheFrontAndTheirFilesGoLater() async throws {
        let now = Locked(Duration.zero)
        let options = PrismCoreSession.Options(sequentialPlaylist: .slidingWindow(seconds: 5))
        try await follow(
            options, seconds: 110, arguments: "-c:a aac", clock: { now.withLock { $0 } },
            during: { video in
                // Time stands still until the first entries have left, and is far enough on then for those to go at a later cut.
                if video.sequence > 0 { now.withLock { $0 = .seconds(10_000) } }
            }
        ) { video, audio in
            let (last, heard) = (try #require(video.last), try #require(audio.last))
            #expect(last.mediaSequenceNumber > 3 && last.mediaSequenceNumber == heard.mediaSequenceNumber)
            #expect((video.versions + audio.versions).allSatisfy { $0.playlistType == nil && !$0.startsAtBeginning && $0.targetDurationSeconds == 12 })
            #expect(video.bytes.count == last.mediaSequenceNumber + last.segments.count, "each was there to fetch while it was listed")
            // One front: what both list begins with the same segment.
            #expect(last.segments.first?.uri == heard.segments.first?.uri && last.segments.first?.uri == "seg\(last.mediaSequenceNumber).m4s")
            // How often the window moves follows from how the reads and the production fall: only with a cut behind the jump of the clock is
            // the first file gone.
            guard Set(video.versions.map(\.mediaSequenceNumber)).count > 3 else { return }
            for follower in [video, audio] {
                await #expect(throws: HTTPClient.Failure.self) { _ = try await follower.fetch("seg0.m4s") }
                let justLeft = last.mediaSequenceNumber - 1
                #expect(try await follower.fetch("seg\(justLeft).m4s") == follower.bytes[justLeft], "an old playlist may still name it")
                await #expect(throws: HTTPClient.Failure.self) { _ = try await follower.fetch("seg99.m4s") }
            }
        }
    }

    @Test func anEventKeepsItsEntriesAndOffersWhatTheBudgetDropped() async throws {
        try await follow(.init(segmentCacheBytes: 1), seconds: 40, arguments: "-c:a aac", toleratesLoss: true) { video, _ in
            let last = try #require(video.last)
            #expect(last.playlistType == .event && last.mediaSequenceNumber == 0 && last.segments.first?.uri == "seg0.m4s")
            await #expect(throws: HTTPClient.Failure.status(404, path: "/seg0.m4s")) { _ = try await video.fetch("seg0.m4s") }
        }
    }

    /// Sound from 0 to 20 s and from 40 s on (AAC frames of 21 ms), described by its frames alone, for which there is no silent one.
    @Test(arguments: [SequentialPlaylist.event, .slidingWindow(seconds: 300)])
    func timeWithoutSoundIsFoldedIntoTheNextEntry(playlist: SequentialPlaylist) async throws {
        try await follow(.init(sequentialPlaylist: playlist), seconds: 60, arguments: "-c:a aac -af aformat=channel_layouts=6.1 -bsf:a noise=drop=gt(n\\,945)*lt(n\\,1875)") { video, audio in
            let (seen, heard) = (try #require(video.last), try #require(audio.last))
            // Segments begin at 0, 2, 8, 14, 20, 26, 32 and 38 s: the one at 26 and the one at 32 s have no sound.
            #expect(seen.segments.count == 11 && heard.segments.map(\.uri) == [0, 1, 2, 3, 4, 7, 8, 9, 10].map { "seg\($0).m4s" })
            let (picture, sound) = (seen.segments.reduce(0) { $0 + $1.duration.seconds }, heard.segments.reduce(0) { $0 + $1.duration.seconds })
            #expect(abs(picture - sound) < 0.2, "\(picture) and \(sound) s")
            #expect(audio.bytes.values.allSatisfy { $0.count > 1000 })
            #expect(heard.targetDurationSeconds == heard.segments.map { Int($0.duration.seconds.rounded()) }.max())
        }
    }

    /// The same in a codec that has one: silence is listed, and what ends early goes on to the film's end.
    @Test func timeWithoutSoundIsSilence() async throws {
        try await follow(.init(), seconds: 60, arguments: "-c:a flac -bsf:a noise=drop=gt(n\\,209)*lt(n\\,416)+gt(n\\,500)") { video, audio in
            let (seen, heard) = (try #require(video.last), try #require(audio.last))
            #expect(seen.segments.map(\.uri) == heard.segments.map(\.uri))
            let (picture, sound) = (seen.segments.reduce(0) { $0 + $1.duration.seconds }, heard.segments.reduce(0) { $0 + $1.duration.seconds })
            #expect(abs(picture - sound) < 0.2, "\(picture) and \(sound) s")
        }
    }

    /// Sound that begins after 15 s: its playlist is waited for, not empty.
    @Test func soundThatBeginsLateHasAPlaylistFromItsFirstEntryOn() async throws {
        try await follow(.init(), seconds: 40, arguments: "-c:a aac -af aformat=channel_layouts=6.1 -bsf:a noise=drop=lt(n\\,703)") { _, audio in
            #expect(audio.versions.first?.segments.first?.uri == "seg3.m4s")
            #expect(audio.last?.segments.first.map { abs($0.duration.seconds - 20) < 0.2 } == true)
        }
    }
}
