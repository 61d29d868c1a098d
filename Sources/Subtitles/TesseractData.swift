#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import Languages

/// Which of Tesseract's trained data answers a language, and where it lies.
struct TesseractData: Sendable, Hashable {
    /// As its files are named: "ces", "chi_tra".
    let code: String
    let folder: String

    /// Where packages put it; a folder of the user's own comes first.
    static var folders: [String] {
        var folders: [String] = []
        if let own = getenv("TESSDATA_PREFIX").map({ String(cString: $0) }), !own.isEmpty { folders += [own, own + "/tessdata"] }
        return folders + [
            "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata", "/usr/share/tesseract/tessdata",
            "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata",
        ]
    }

    /// - Parameter language: As a track says it; what says nothing is taken for English, whose letters most languages of Latin script share.
    /// - Throws: ``RecognitionAbsence`` that names the language and what to install.
    static func find(_ language: String?) throws(RecognitionAbsence) -> TesseractData {
        let codes = codes(for: language)
        for code in codes {
            for folder in folders where access("\(folder)/\(code).traineddata", R_OK) == 0 { return TesseractData(code: code, folder: folder) }
        }
        let wanted = codes.first ?? "eng"
        throw RecognitionAbsence.noData(
            language: language.flatMap { LanguageLabel.englishName($0) } ?? "English",
            remedy: "install tesseract-ocr-\(String(wanted.map { $0 == "_" ? "-" : $0 })), or put \(wanted).traineddata in a folder named by TESSDATA_PREFIX")
    }

    /// The best first. Most are ISO 639-2's terminology codes.
    static func codes(for language: String?) -> [String] {
        guard let language, let tag = LanguageLabel.matched(language), let code = tag.language?.terminology ?? Optional(tag.primary) else { return ["eng"] }
        let script = tag.script?.lowercased()
        switch code {
        case "zho", "cmn", "yue":
            let isTraditional = script == "hant" || (script == nil && (code == "yue" || ["TW", "HK", "MO"].contains(tag.region?.uppercased() ?? "")))
            return isTraditional ? ["chi_tra", "chi_sim"] : ["chi_sim", "chi_tra"]
        case "nob", "nno": return ["nor"]
        case "srp": return script == "latn" ? ["srp_latn", "srp"] : ["srp", "srp_latn"]
        case "hbs": return ["hrv", "srp_latn", "bos"]
        case "aze" where script == "cyrl": return ["aze_cyrl", "aze"]
        case "uzb" where script == "cyrl": return ["uzb_cyrl", "uzb"]
        case "kur": return ["kmr", "kur"]
        case "tgl": return ["fil", "tgl"]
        case "und", "mul", "zxx", "mis": return ["eng"]
        default: return [code]
        }
    }
}
