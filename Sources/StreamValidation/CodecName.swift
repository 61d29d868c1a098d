/// One element of CODECS: its form, and whether it names what was found in the media (RFC 6381, ISO/IEC 14496-15 Annex E, AV1-ISOBMFF §5).
enum CodecName {
    enum Form: Equatable { case wellFormed, malformed, unknown }

    static func form(_ text: String) -> Form {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let format = parts.first, !format.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .malformed }
        let rest = parts.dropFirst()
        func holds(_ condition: Bool) -> Form { condition ? .wellFormed : .malformed }
        switch format {
        case "avc1", "avc2", "avc3", "avc4", "dva1", "dvav":
            if format.hasPrefix("dv") { return holds(rest.count == 2 && rest.allSatisfy(isDecimal)) }
            return holds(rest.count == 1 && parts[1].count == 6 && isHexadecimal(parts[1]))
        case "hvc1", "hev1": return holds(isHEVC(Array(rest)))
        case "dvh1", "dvhe", "dav1": return holds(rest.count == 2 && rest.allSatisfy { $0.count == 2 && isDecimal($0) })
        case "av01": return holds(isAV1(Array(rest)))
        case "vp09": return holds((3...8).contains(rest.count) && rest.allSatisfy { $0.count == 2 && isDecimal($0) })
        case "mp4a", "mp4v":
            guard (1...2).contains(rest.count), isHexadecimal(parts[1]), parts[1].count == 2 else { return .malformed }
            return holds(rest.count == 1 || isDecimal(parts[2]))
        case "ac-3", "ec-3", "ec+3", "alac", "fLaC", "flac", "Opus", "opus", "wvtt", "mjpg", "jpeg": return holds(rest.isEmpty)
        case "stpp": return .wellFormed
        case "apac", "ac-4", "dtsc", "dtse", "dtsh", "dtsl", "dtsx", "mha1", "mhm1", "vvc1", "vvi1", "iamf", "ipcm", "fpcm": return .wellFormed
        default: return .unknown
        }
    }

    /// An element of SUPPLEMENTAL-CODECS: a codec, then compatibility brands behind slashes (rfc8216bis §4.4.6.2).
    static func isSupplemental(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let codec = parts.first, form(codec) != .malformed, parts.count >= 2 else { return false }
        return parts.dropFirst().allSatisfy { $0.utf8.count == 4 }
    }

    /// Whether `declared` names what the media has. Parameters the declaration leaves out are not held against it.
    static func matches(declared: String, actual: String) -> Bool {
        let (a, b) = (declared.lowercased().split(separator: ".").map(String.init), actual.lowercased().split(separator: ".").map(String.init))
        guard let format = a.first, format == b.first else { return false }
        switch format {
        case "hvc1", "hev1": return trimmed(a) == trimmed(b)
        case "av01": return zip(a, b).allSatisfy { $0 == $1 } || a.count < 5 && b.count > 5 && Array(b.prefix(a.count)) == a
        // Where SBR and PS are not signalled, only the stream tells: a playlist may know more than the configuration says.
        case "mp4a" where b == ["mp4a", "40", "2"]: return a == b || a == ["mp4a", "40", "5"] || a == ["mp4a", "40", "29"]
        case "dvh1", "dvhe", "stpp": return true
        default: return a == b
        }
    }

    /// Constraint bytes of zero at the end may be left out.
    private static func trimmed(_ parts: [String]) -> [String] {
        var parts = parts
        while parts.count > 4, parts.last == "0" || parts.last == "00" { parts.removeLast() }
        return parts
    }

    private static func isHEVC(_ rest: [String]) -> Bool {
        guard (3...9).contains(rest.count) else { return false }
        let profile = rest[0].first.map { ("A"..."C").contains(String($0)) } == true ? String(rest[0].dropFirst()) : rest[0]
        guard isDecimal(profile), isHexadecimal(rest[1]), rest[1].count <= 8, let tier = rest[2].first, tier == "L" || tier == "H", isDecimal(String(rest[2].dropFirst()))
        else { return false }
        return rest.dropFirst(3).allSatisfy { isHexadecimal($0) && $0.count <= 2 }
    }

    private static func isAV1(_ rest: [String]) -> Bool {
        guard rest.count >= 3, rest.count <= 9, isDecimal(rest[0]), rest[0].count == 1 else { return false }
        guard rest[1].count == 3, isDecimal(String(rest[1].prefix(2))), rest[1].hasSuffix("M") || rest[1].hasSuffix("H") else { return false }
        guard ["08", "10", "12"].contains(rest[2]) else { return false }
        return rest.dropFirst(3).allSatisfy(isDecimal)
    }

    private static func isDecimal(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    private static func isHexadecimal(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
    }
}
