import PrismCore

/// `--target`: the player that a session is for, where it is not to be asked.
enum Target {
    static let words = "apple, browser, desktop, or what a browser takes: \(BrowserAnswers(Set(BrowserAnswers.Question.allCases)))"

    static func capabilities(_ text: String) throws(UsageError) -> PlayerCapabilities {
        switch text {
        case "apple": return .apple(.current)
        case "browser": return .browser(.free)
        case "desktop": return .desktop
        default:
            guard let answers = BrowserAnswers(text) else { throw UsageError("--target takes \(words)") }
            return .browser(answers)
        }
    }
}
