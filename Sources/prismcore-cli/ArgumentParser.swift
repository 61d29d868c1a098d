import Foundation

/// The command line was not what the tool takes.
struct UsageError: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Splits a command line into a command, options and a source.
struct ArgumentParser: Equatable {
    /// Options that take a value, and those that do not, by command.
    private static let valued: [String: Set<String>] = [
        "probe": ["--structure"],
        "serve": [
            "--port", "--language", "--cache-bytes", "--window", "--interface", "--target", "--dialogue-boost", "--max-channels", "--dialogue-gain", "--audio-delay",
            "--subtitle", "--subtitle-language", "--subtitle-delay",
        ],
        "segverify": [], "validate": [], "bench": [],
    ]
    private static let flags: [String: Set<String>] = [
        "probe": ["--json"], "serve": ["--no-page", "--lan", "--night", "--in-band-captions"], "segverify": ["--json"], "validate": ["--json", "--require-validator"], "bench": ["--json"],
    ]

    private(set) var command: String?
    private(set) var source: String?
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    private(set) var headers: [String: String] = [:]
    private var listed: [String: [String]] = [:]
    private var given: Set<String> = []

    init(_ words: some Sequence<String>) throws(UsageError) {
        var rest = Array(words)[...]
        var optionsOver = false
        while let word = rest.popFirst() {
            if !optionsOver, word == "--" {
                optionsOver = true
            } else if !optionsOver, word == "--help" || word == "-h" {
                wantsHelp = true
            } else if !optionsOver, word == "--version" {
                wantsVersion = true
            } else if !optionsOver, word.hasPrefix("--"), word.count > 2 {
                try takeOption(word, &rest)
            } else if command == nil {
                command = word
            } else if source == nil {
                source = word
            } else {
                throw UsageError("one source is enough; \(word) is too much")
            }
        }
    }

    private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        guard let command else { throw UsageError("options come behind the command") }
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let name = parts[0]
        if Self.flags[command]?.contains(name) ?? false {
            guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
            given.insert(name)
            return
        }
        guard name == "--header" || Self.valued[command]?.contains(name) ?? false else { throw UsageError("\(command) has no option \(name)") }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw UsageError("\(name) needs a value") }
        if name == "--header" {
            guard let colon = value.firstIndex(of: ":"), colon != value.startIndex else { throw UsageError("--header takes 'Name: value'") }
            headers[String(value[..<colon])] = value[value.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        } else {
            listed[name, default: []].append(value)
        }
    }

    func has(_ flag: String) -> Bool { given.contains(flag) }
    /// Of an option that was given more than once the last holds.
    func value(_ option: String) -> String? { listed[option]?.last }
    /// Of an option that may be given more than once.
    func values(_ option: String) -> [String] { listed[option] ?? [] }

    func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else { throw UsageError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    /// The source as a URL: anything with a scheme, else a file.
    func sourceURL() throws(UsageError) -> URL {
        guard let source, !source.isEmpty else { throw UsageError("a source is needed") }
        return try Self.url(source)
    }

    static func url(_ source: String) throws(UsageError) -> URL {
        if source.range(of: "^[A-Za-z][A-Za-z0-9+.-]*://", options: .regularExpression) != nil {
            guard let url = URL(string: source) else { throw UsageError("the URL cannot be read") }
            return url
        }
        return URL(fileURLWithPath: source)
    }
}
