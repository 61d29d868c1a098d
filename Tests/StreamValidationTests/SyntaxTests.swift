import Foundation
import StreamValidation
import Testing

/// Forms that must be let through: a validator that cries wolf is not listened to.
@Suite struct SyntaxTests {
    private func rules(editing old: String, to new: String) async throws -> Set<String> {
        var presentation = ReferencePresentation()
        presentation.edit("master.m3u8", old, new)
        #expect(presentation.mistakes == [])
        let url = try #require(URL(string: ReferencePresentation.base + "master.m3u8"))
        return Set(try await StreamValidator(fetcher: MemoryFetcher(presentation: presentation)).validate(url).findings.map(\.rule))
    }

    @Test(arguments: ["pt-BR", "zh-Hant-TW", "es-419", "x-klingon", "de-CH-1901", "sl-rozaj-biske", "en-u-ca-gregory", "und", "yue", "i-default", "zh-cmn-Hans"])
    func languageTags(_ tag: String) async throws {
        #expect(try await rules(editing: "LANGUAGE=\"fr\"", to: "LANGUAGE=\"\(tag)\"") == [])
    }

    @Test(arguments: ["fr_CH", "", "f", "francaislangue", "fr-", "en--US", "e1", "en-x", "fr-é"])
    func noLanguageTags(_ tag: String) async throws {
        #expect(try await rules(editing: "LANGUAGE=\"fr\"", to: "LANGUAGE=\"\(tag)\"") == ["rendition.language"])
    }

    @Test(arguments: [
        "hvc1.2.4.L153.B0", "hev1.A1.60000000.H120.90.1", "av01.0.04M.08", "av01.0.04M.10.0.112.09.16.09.0", "mp4a.40.29", "mp4a.6B", "ac-3", "ec-3", "fLaC", "alac", "Opus",
        "stpp.ttml.im1t", "dvh1.05.06", "vp09.00.10.08",
    ])
    func codecNames(_ codec: String) async throws {
        #expect(try await rules(editing: "mp4a.40.2", to: "mp4a.40.2,\(codec)").subtracting(["codecs.extra"]) == [])
    }

    @Test(arguments: ["hvc1.2.4", "hvc1.2.4.153", "av01.0.4M.08", "av01.0.04M.09", "avc1.4d401", "mp4a", "mp4a.4.2", "dvh1.5", "ac-3.1", "vp09"])
    func noCodecNames(_ codec: String) async throws {
        #expect(try await rules(editing: "mp4a.40.2", to: "mp4a.40.2,\(codec)").contains("codecs.syntax"))
    }

    @Test func caseOfHexadecimalDigitsDoesNotMatter() async throws {
        #expect(try await rules(editing: "avc1.4D401E,", to: "avc1.4d401e,") == [])
    }

    @Test(arguments: ["16/JOC", "2/-/BINAURAL", "12/OBJECT"]) func channelParameters(_ text: String) async throws {
        #expect(try await rules(editing: "CHANNELS=\"2\"", to: "CHANNELS=\"\(text)\"") == [])
    }

    @Test(arguments: ["\r\n", "\n\n", "\n# a comment\n"]) func lineEndsAndComments(_ end: String) async throws {
        #expect(try await rules(editing: "#EXT-X-VERSION:6\n", to: "#EXT-X-VERSION:6\(end)") == [])
    }

    @Test func bytesAtRandomNeverTrap() async throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let names = ReferencePresentation().files.keys.sorted()
        let url = try #require(URL(string: ReferencePresentation.base + "master.m3u8"))
        for _ in 0..<80 {
            var presentation = ReferencePresentation()
            for _ in 0...random(4) {
                let name = names[random(names.count)]
                guard var bytes = presentation.files[name]?.bytes, !bytes.isEmpty else { continue }
                // The first bytes are where structure is.
                let at = random(min(bytes.count, 700))
                switch random(3) {
                case 0: bytes[at] = UInt8(random(256))
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random(40)))
                default: bytes.insert(contentsOf: (0..<(1 + random(8))).map { _ in UInt8(random(256)) }, at: at)
                }
                presentation.files[name]?.bytes = bytes
            }
            _ = try await StreamValidator(fetcher: MemoryFetcher(presentation: presentation), following: .reloads(0), pause: { _ in }).validate(url)
        }
    }
}
