import Foundation
import PrismCore
import TestSupport
import Testing

/// Bad input gets a typed error that names the cause, and leaves nothing behind.
@Suite(.fewAtATime) struct BadInputTests {
    private func startError(_ url: URL, timeout: Duration = .seconds(600)) async -> PrismCoreError? {
        let session = PrismCoreSession(url: url)
        do {
            _ = try await session.start(startupTimeout: timeout)
            await session.stop()
            return nil
        } catch {
            return PrismCoreError.classify(error)
        }
    }

    @Test func missingFile() async {
        #expect(await startError(URL(fileURLWithPath: "/nowhere/film.mkv")) == .sourceNotFound)
    }

    @Test func directory() async throws {
        let fixture = try FFmpegFixture()
        #expect(await startError(fixture.folder) == .sourceNotReadable(reason: "it is a directory"))
    }

    @Test func emptyFileAndText() async throws {
        let fixture = try FFmpegFixture()
        for (name, content) in [("empty.mkv", ""), ("text.mkv", String(repeating: "not a film\n", count: 500))] {
            try Data(content.utf8).write(to: fixture.url(name))
            guard case .sourceNotMedia = await startError(fixture.url(name)) else {
                Issue.record("\(name)")
                continue
            }
        }
    }

    @Test func truncatedHeader() async throws {
        let fixture = try FFmpegFixture()
        let whole = try Data(contentsOf: try await fixture.make("whole.mp4", "\(FFmpegFixture.inputs(seconds: 2)) -c:v libx264 -c:a aac -movflags faststart"))
        for count in [8, 100, 700] {
            try whole.prefix(count).write(to: fixture.url("cut.mp4"))
            let error = await startError(fixture.url("cut.mp4"))
            guard case .sourceNotMedia = error else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                continue
            }
        }
    }

    @Test func soundWithoutPicture() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("sound.mka", "-f lavfi -i sine=440:d=2 -c:a aac")
        #expect(await startError(url) == .noVideoStream)
    }

    @Test func videoForTheSoftwarePipelineIsNamed() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("old.mkv", "-f lavfi -i testsrc2=s=160x90:d=1 -c:v mpeg2video")
        guard case .videoCodecNotRemuxable(codec: "mpeg2video", _) = await startError(url) else {
            Issue.record("mpeg2video")
            return
        }
    }

    @Test func anOriginThatNeverAnswersEndsWithTheBudget() async throws {
        let listener = try SilentListener()
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/film.mkv"))
        #expect(await startError(url, timeout: .milliseconds(300)) == .startupBudgetExpired(seconds: 0.3))
    }

    @Test func stopEndsAStartThatHangs() async throws {
        let listener = try SilentListener()
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/film.mkv"))
        let session = PrismCoreSession(url: url)
        let starting = Task { try await session.startWithoutHurry() }
        await listener.connected()
        await session.stop()
        await #expect(throws: PrismCoreError.cancelled) { _ = try await starting.value }
    }
}
