import Foundation
import PrismCore
import SegmentVerification
import StreamValidation

/// `validate`: a presentation held against the rules of HLS; a film is served by a session of its own first.
struct ValidateCommand {
    private let url: URL
    private let headers: [String: String]
    private let asJSON: Bool
    private let requiresValidator: Bool

    /// What could not be run at all is told apart from what was found.
    enum ExitCode {
        static let valid: Int32 = 0
        static let faults: Int32 = 1
        static let notRun: Int32 = 2
        /// `--require-validator`, and mediastreamvalidator is not there.
        static let noValidator: Int32 = 3
    }

    private struct Output: Codable {
        var report: ValidationReport
        var mediastreamvalidator: MediaStreamValidator.Outcome
    }

    init(_ arguments: ArgumentParser) throws(UsageError) {
        url = try arguments.sourceURL()
        headers = arguments.headers
        asJSON = arguments.has("--json")
        requiresValidator = arguments.has("--require-validator")
    }

    func run() async throws -> Int32 {
        let apple = MediaStreamValidator.find()
        if apple == nil, requiresValidator {
            Terminal.error("prismcore-cli: mediastreamvalidator is not installed (Apple's HTTP Live Streaming Tools)")
            return ExitCode.noValidator
        }
        do {
            if isPlaylist {
                return try await validate(url, following: .reloads(2), headers: headers, apple)
            }
            let session = PrismCoreSession(url: url, httpHeaders: headers)
            let playlist = try await session.start()
            do {
                let code = try await validate(playlist, following: .untilEnd, headers: [:], apple)
                await session.stop()
                return code
            } catch {
                await session.stop()
                throw error
            }
        } catch let failure as FetchFailure {
            Terminal.error("prismcore-cli: \(failure.description)")
        } catch {
            Terminal.error("prismcore-cli: \(Failure.text(error))")
        }
        return ExitCode.notRun
    }

    private var isPlaylist: Bool { ["m3u8", "m3u"].contains(url.pathExtension.lowercased()) }

    private func validate(_ playlist: URL, following: StreamValidator.Following, headers: [String: String], _ apple: MediaStreamValidator?) async throws -> Int32 {
        let fetcher: any ResourceFetcher = playlist.isFileURL ? FileFetcher() : HTTPClient(headers: headers)
        let validator = StreamValidator(fetcher: fetcher, following: following)
        let report = try await validator.validate(playlist) { done, total in Terminal.progress("segment \(done) of \(total)") }
        Terminal.endProgress()
        let outcome = await apple?.run(playlist) ?? .notFound
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            Terminal.line(String(decoding: try encoder.encode(Output(report: report, mediastreamvalidator: outcome)), as: UTF8.self))
        } else {
            Terminal.line(report.table())
            Terminal.line("mediastreamvalidator: \(outcome.text)")
        }
        return report.isValid && outcome.isFine ? ExitCode.valid : ExitCode.faults
    }
}
