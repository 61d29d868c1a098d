import Foundation
import PrismCore
import SegmentVerification
import StreamValidation
import TestSupport
import Testing

/// What sessions serve, held against the rules of HLS.
@Suite(.serialized, .fewAtATime) struct ValidationTests {
    @Test(arguments: [
        ("planned.mkv", "-c:v libx264 -preset veryfast -bf 3 -g 48 -c:a aac -map 0:v -map 1:a -map 1:a -metadata:s:a:0 language=eng -metadata:s:a:1 language=fra"),
        ("open.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=48:open-gop=1:bframes=4 -tag:v hvc1 -c:a ac3"),
        ("scanned.ts", "-c:v libx264 -preset veryfast -bf 2 -g 48 -c:a aac"),
        ("growing.avi", "-c:v libx264 -preset veryfast -bf 0 -g 48 -c:a aac"),
    ])
    func aSessionBreaksNoRule(_ film: (name: String, options: String)) async throws {
        let fixture = try FFmpegFixture()
        let arguments = "\(FFmpegFixture.inputs()) \(film.options)"
        let file = film.name == "growing.avi" ? try await fixture.makeUnindexed(film.name, arguments) : try await fixture.make(film.name, arguments)
        let report = try await validate(file)
        #expect(report.isValid, "\(report.table())")
        #expect(report.segments >= 4)
    }

    @Test func aRecordBelowItsParameterSetIsNotPassedOn() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("level.mp4", "\(FFmpegFixture.inputs()) -c:v libx264 -preset veryfast -g 48 -c:a aac")
        var bytes = [UInt8](try Data(contentsOf: url))
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: "avcC".utf8) })
        bytes[at + 7] = 0
        try Data(bytes).write(to: url)
        let report = try await validate(url)
        #expect(report.isValid, "\(report.table())")
    }

    private func validate(_ url: URL) async throws -> ValidationReport {
        let session = PrismCoreSession(url: url)
        let playlist = try await session.startWithoutHurry()
        let result: Result<ValidationReport, any Error>
        do {
            result = .success(try await StreamValidator(fetcher: HTTPClient(), following: .untilEnd).validate(playlist))
        } catch {
            result = .failure(error)
        }
        await session.stop()
        return try result.get()
    }

    @Test func aLengthThatIsWrongDoesNotUnderstateTheBitRate() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("long.mkv", "\(FFmpegFixture.inputs()) -c:v libx264 -preset veryfast -g 48 -c:a aac")
        var bytes = [UInt8](try Data(contentsOf: url))
        // Duration (0x4489), a float of eight bytes: five hours and a half of 1 ms where there are twelve seconds.
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x44, 0x89, 0x88]) })
        bytes.replaceSubrange((at + 3)..<(at + 11), with: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: (2e7).bitPattern >> UInt64($0)) })
        try Data(bytes).write(to: url)
        let session = PrismCoreSession(url: url)
        let playlist = try await session.startWithoutHurry()
        let text = String(decoding: try await HTTPClient().get(playlist), as: UTF8.self)
        await session.stop()
        let bandwidth = try #require(text.firstMatch(of: /[:,]BANDWIDTH=([0-9]+)/)?.1)
        #expect(try #require(Int(bandwidth)) > 100_000, "\(text)")
    }

    @Test func aRangeIsFetchedAsARange() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", "\(FFmpegFixture.inputs(seconds: 4)) -c:v libx264 -preset veryfast -g 48 -c:a aac")
        try await ServedMedia.serve(url) { served in
            let client = HTTPClient()
            let segment = try #require(served.presentation.renditions.first?.segments.first)
            let whole = try await client.fetch(segment, range: nil)
            #expect(whole.headers?["content-type"] == "video/mp4")
            #expect(try await client.fetch(segment, range: 4..<8).bytes == Array("moof".utf8))
            await #expect(throws: FetchFailure.self) { try await client.fetch(segment, range: whole.bytes.count..<(whole.bytes.count + 8)) }
            await #expect(throws: FetchFailure.self) { try await client.fetch(segment.deletingLastPathComponent().appendingPathComponent("none.m4s"), range: nil) }
        }
    }
}
