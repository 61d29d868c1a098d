import Remux
import Testing

@testable import PrismCore

/// The table, row by row: what becomes of each kind of track at each kind of player.
@Suite struct TrackRoutingTests {
    typealias Sound = TrackRouting.Sound

    enum Player: String, CaseIterable {
        case apple, chromium, chromiumWithoutFLAC = "chromium without FLAC", safari, silent, desktop

        var capabilities: PlayerCapabilities {
            switch self {
            case .apple: .apple
            case .chromium: .browser(.free)
            case .chromiumWithoutFLAC: .browser(BrowserAnswers([.h264, .aac, .opus]))
            case .safari: .browser(BrowserAnswers([.h264, .hevc, .hevcMain10, .aac, .xheAAC, .ac3, .eac3, .flac, .alac, .opus]))
            case .silent: .browser(BrowserAnswers([.h264]))
            case .desktop: .desktop
            }
        }
    }

    /// In words: "copied", the codec, or "refused".
    private func outcome(_ sound: Sound, _ player: Player, _ mode: AudioBridgeMode = .surroundCompat, has: (TrackCodec) -> Bool = { _ in true }) -> String {
        switch TrackRouting.sound(sound, for: player.capabilities, mode: mode) {
        case .copied: "copied"
        case .bridged(let ladder, _): ladder.rung(channels: sound.channels, has: has)?.codec.rawValue ?? "none"
        case .refused: "refused"
        }
    }

    private static let carried: [PlayerCapabilities.AudioCodec] = PlayerCapabilities.AudioCodec.allCases

    /// codec, channels: apple, chromium, chromium without FLAC, safari, silent, desktop.
    @Test(arguments: [
        ("aac", 2, "copied copied copied copied refused copied"), ("aac", 6, "copied copied copied copied refused copied"), ("aac", 8, "copied mp4a mp4a ec-3 refused copied"),
        ("xheAAC", 2, "copied fLaC mp4a copied refused copied"), ("ac3", 2, "copied fLaC mp4a copied refused copied"), ("ac3", 6, "copied mp4a mp4a copied refused copied"),
        ("eac3", 2, "copied fLaC mp4a copied refused copied"), ("eac3", 6, "copied mp4a mp4a copied refused copied"), ("eac3", 8, "copied mp4a mp4a copied refused copied"),
        ("flac", 2, "copied copied mp4a copied refused copied"), ("flac", 8, "copied copied mp4a copied refused copied"), ("alac", 2, "copied fLaC mp4a copied refused copied"),
        ("alac", 6, "copied mp4a mp4a copied refused copied"), ("opus", 2, "fLaC copied copied copied refused copied"), ("opus", 6, "ec-3 copied copied copied refused copied"),
        ("none", 1, "fLaC fLaC mp4a fLaC refused fLaC"), ("none", 2, "fLaC fLaC mp4a fLaC refused fLaC"), ("none", 3, "ec-3 mp4a mp4a ec-3 refused fLaC"),
        ("none", 6, "ec-3 mp4a mp4a ec-3 refused fLaC"), ("none", 8, "ec-3 mp4a mp4a ec-3 refused fLaC"), ("unreadable", 6, "refused refused refused refused refused refused"),
    ])
    func soundGoesAsTheTableSays(codec: String, channels: Int, outcomes: String) {
        let carriage: Sound.Carriage =
            switch codec {
            case "none": .notCarried(reason: "dts cannot be copied into HLS")
            case "unreadable": .unreadable(reason: "it is encrypted")
            default: PlayerCapabilities.AudioCodec(rawValue: codec).map { .carried($0) } ?? .unreadable(reason: "?")
            }
        for (player, expected) in zip(Player.allCases, outcomes.split(separator: " ")) {
            #expect(outcome(Sound(carriage, codecName: codec, channels: channels), player) == expected, "\(codec) of \(channels) channels at \(player.rawValue)")
        }
    }

    @Test(arguments: [(Player.apple, 2, "fLaC"), (.apple, 6, "fLaC"), (.chromium, 2, "fLaC"), (.chromium, 8, "fLaC"), (.chromiumWithoutFLAC, 6, "mp4a"), (.safari, 6, "fLaC"), (.desktop, 8, "fLaC")])
    func losslessIsFLACWhereThePlayerTakesIt(player: Player, channels: Int, codec: String) {
        #expect(outcome(Sound(.notCarried(reason: ""), codecName: "dts", channels: channels), player, .lossless) == codec)
    }

    @Test func aBuildWithoutAnEncoderTakesTheNextOfTheLadder() {
        let sound = Sound(.notCarried(reason: ""), codecName: "dts", channels: 6)
        #expect(outcome(sound, .apple, has: { $0 != .eac3 }) == "fLaC")
        #expect(outcome(sound, .chromium, has: { $0 != .aac }) == "fLaC")
        #expect(outcome(sound, .safari, has: { $0 == .aac }) == "mp4a")
        #expect(outcome(sound, .apple, has: { _ in false }) == "none")
    }

    @Test func reasonsNameTheTrackAndThePlayer() {
        func reason(_ sound: Sound, _ player: Player) -> String {
            switch TrackRouting.sound(sound, for: player.capabilities) {
            case .copied: ""
            case .bridged(_, let reason), .refused(let reason): reason
            }
        }
        #expect(reason(Sound(.carried(.opus), codecName: "opus", channels: 2), .apple) == "opus is not taken by Apple's players")
        #expect(reason(Sound(.carried(.aac), codecName: "aac", channels: 8), .chromium) == "aac of 8 channels is not taken by a browser")
        #expect(reason(Sound(.carried(.eac3), codecName: "eac3", channels: 6, isDecodable: false), .chromium) == "eac3 is not taken by a browser, and this build of FFmpeg has no decoder for it")
        #expect(reason(Sound(.notCarried(reason: "dts cannot be copied into HLS"), codecName: "dts", channels: 6), .silent) == "dts cannot be copied into HLS, and a browser takes nothing that it could be encoded to")
        #expect(reason(Sound(.unreadable(reason: "it is encrypted"), codecName: "aac", channels: 2), .desktop) == "it is encrypted")
    }

    @Test func ratesAndDepthsCountWhereTheyAreSaid() {
        var player = PlayerCapabilities.browser(.free)
        player.audio[.flac] = .init(maximumSampleRate: 48_000, maximumBitDepth: 16)
        func isCopied(_ rate: Int, _ bits: Int?) -> Bool {
            TrackRouting.sound(Sound(.carried(.flac), codecName: "flac", channels: 2, sampleRate: rate, bitDepth: bits), for: player) == .copied
        }
        #expect(isCopied(48_000, 16))
        #expect(!isCopied(96_000, 16))
        #expect(!isCopied(48_000, 24))
        #expect(isCopied(48_000, nil))
    }

    // MARK: Pictures

    /// codec, bits, chroma: apple, chromium, chromium without FLAC (H.264 only), safari, silent (H.264 only), desktop; c is copied, d for a decoder.
    @Test(arguments: [
        ("h264", 8, "4:2:0", "cccccc"), ("h264", 10, "4:2:0", "dddddc"), ("h264", 8, "4:4:4", "dddddc"), ("hevc", 8, "4:2:0", "cddcdc"), ("hevc", 10, "4:2:0", "cddcdc"),
        ("hevc", 12, "4:2:2", "dddddc"), ("av1", 8, "4:2:0", "dcdddc"), ("av1", 10, "4:2:0", "dcdddc"), ("av1", 12, "4:4:4", "dddddc"), ("vp9", 8, "4:2:0", "dcdddc"),
        ("vp9", 10, "4:2:0", "dcdddc"), ("vp9", 12, "4:2:0", "dddddc"), ("vp8", 8, "4:2:0", "dddddd"), ("mpeg2video", 8, "4:2:0", "dddddd"), ("prores", 10, "4:2:2", "??????"),
    ])
    func picturesGoAsTheTableSays(codec: String, bits: Int, chroma: String, outcomes: String) {
        var video = VideoTrackInfo(streamIndex: 0, codec: codec, width: 1920, height: 1080, readiness: .streamCopy)
        (video.bitDepth, video.chromaFormat, video.codecString) = (bits, chroma, "")
        if codec == "vp9" { video.readiness = .unsupported(reason: "vp9 is not taken by Apple's players") }
        for (player, expected) in zip(Player.allCases, outcomes) {
            let found: Character =
                switch TrackRouting.picture(video, for: player.capabilities) {
                case .copied: "c"
                case .decoded: "d"
                case .unknown: "?"
                }
            #expect(found == expected, "\(codec) \(bits) \(chroma) at \(player.rawValue)")
        }
    }

    @Test func aTrackThatFragmentsCannotCarryIsNotCopiedForAnybody() {
        var video = VideoTrackInfo(streamIndex: 0, codec: "vp9", width: 1920, height: 1080, readiness: .unsupported(reason: "no key frame near the start"))
        video.codecString = nil
        #expect(TrackRouting.picture(video, for: .desktop) == .decoded(reason: "no key frame near the start"))
    }

    // MARK: Answers

    @Test func answersAreReadBackAndNothingElseIs() {
        for answers in [BrowserAnswers.free, BrowserAnswers([.aac]), BrowserAnswers(Set(BrowserAnswers.Question.allCases))] {
            #expect(BrowserAnswers(answers.description) == answers)
        }
        #expect(BrowserAnswers("vp9,aac,h264")?.description == "h264,vp9,aac")
        for text in ["", ",", "aac,", "aac,aac", "aac,dts", "AAC", "aac;h264", String(repeating: "aac,", count: 100)] { #expect(BrowserAnswers(text) == nil, "\(text)") }
    }

    @Test func eachQuestionHasMediaTypes() {
        for question in BrowserAnswers.Question.allCases {
            #expect(!question.mediaTypes.isEmpty && question.mediaTypes.allSatisfy { $0.contains("/mp4; codecs=\"") })
        }
    }
}
