/// What a browser says it decodes, as its page asks it: `MediaSource.isTypeSupported` where a script feeds the element, `canPlayType` where the
/// browser plays HLS itself. The two may differ.
public struct BrowserAnswers: Sendable, Hashable, Codable {
    public enum Question: String, Sendable, Hashable, Codable, CaseIterable {
        case h264, h264High10 = "h264-10", hevc, hevcMain10 = "hevc-10", av1, av1TenBit = "av1-10", vp9, vp9TenBit = "vp9-10"
        case aac, xheAAC = "xhe-aac", ac3 = "ac-3", eac3 = "ec-3", flac, alac, opus

        /// Media types to ask for; a yes to any of them is one. Of the sizes of a film, and in every spelling that is in use.
        public var mediaTypes: [String] {
            let (kind, codecs): (String, [String]) =
                switch self {
                case .h264: ("video", ["avc1.640028"])
                case .h264High10: ("video", ["avc1.6e0028"])
                case .hevc: ("video", ["hvc1.1.6.L120.B0"])
                case .hevcMain10: ("video", ["hvc1.2.4.L120.B0"])
                case .av1: ("video", ["av01.0.08M.08"])
                case .av1TenBit: ("video", ["av01.0.08M.10"])
                case .vp9: ("video", ["vp09.00.40.08"])
                case .vp9TenBit: ("video", ["vp09.02.40.10"])
                case .aac: ("audio", ["mp4a.40.2"])
                case .xheAAC: ("audio", ["mp4a.40.42"])
                case .ac3: ("audio", ["ac-3"])
                case .eac3: ("audio", ["ec-3"])
                case .flac: ("audio", ["fLaC", "flac"])
                case .alac: ("audio", ["alac"])
                case .opus: ("audio", ["opus", "Opus"])
                }
            return codecs.map { "\(kind)/mp4; codecs=\"\($0)\"" }
        }
    }

    public var yes: Set<Question>

    public init(_ yes: Set<Question>) { self.yes = yes }

    /// Reads ``description``.
    ///
    /// - Returns: `nil` for anything else: a question nobody asks, one twice, none at all.
    public init?(_ text: String) {
        guard text.utf8.count < 256 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let known = parts.compactMap { Question(rawValue: String($0)) }
        guard known.count == parts.count, Set(known).count == known.count else { return nil }
        yes = Set(known)
    }

    public func contains(_ question: Question) -> Bool { yes.contains(question) }

    /// What a browser of today answers where it has no decoder that costs its maker a licence: Chromium and Firefox on Linux.
    public static let free = BrowserAnswers([.h264, .av1, .av1TenBit, .vp9, .vp9TenBit, .aac, .flac, .opus])
}

extension BrowserAnswers: CustomStringConvertible {
    /// The questions answered with yes, in one order, with commas: fit for an address.
    public var description: String { Question.allCases.filter(yes.contains).map(\.rawValue).joined(separator: ",") }
}
