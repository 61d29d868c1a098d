internal import CFFmpeg
internal import Locks

/// What libav prints: dropped, unless a handler wants it. One for the process, as libav has one log.
package enum LibavLog {
    /// libav's numbers (libavutil/log.h). Its debug levels are never given out: there it prints HTTP headers whole.
    package enum Level: Int32, Sendable, Comparable {
        case panic = 0, fatal = 8, error = 16, warning = 24, info = 32, verbose = 40

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    package struct Line: Sendable, Hashable {
        package let level: Level
        /// The demuxer, decoder or protocol that speaks ("mov,mp4,…", "http"); empty for libav itself.
        package let component: String
        /// One line without its end. Addresses have lost their user information, query and fragment.
        package let text: String
    }

    package typealias Handler = @Sendable (Line) -> Void

    private static let handler = Locked<Handler?>(nil)

    /// Routes lines at `level` and graver to `handler`, replacing any earlier one; nil drops all again.
    ///
    /// The handler is called on whichever thread runs libav, also on several at once; it must not block that thread nor
    /// call libav itself. A call that began before a replacement may still end after it.
    package static func setHandler(upTo level: Level = .warning, _ handler: Handler?) {
        self.handler.withLock { current in
            current = handler
            // Under the lock, so that the last of two callers wins on both sides; it only stores, and calls nobody.
            prism_set_log_handler(handler == nil ? nil : LibavLog.deliver, level.rawValue)
        }
    }

    /// HTTP requests libavformat has sent since the process began.
    package static var httpRequestCount: Int { Int(clamping: prism_http_request_count()) }

    private static let deliver: prism_log_handler = { level, component, text in
        guard let text, let wanted = LibavLog.handler.withLock({ $0 }) else { return }
        wanted(
            Line(
                level: Level(libav: level), component: component.map { String(cString: $0) } ?? "",
                text: LibavLog.redacted(String(cString: text))))
    }

    /// `text` with what may be secret taken out of each `scheme://` address in it: everything to the last `@` of the
    /// authority, and everything from `?` or `#` up to white space. A quotation mark that closes the address is kept.
    package static func redacted(_ text: String) -> String {
        var rest = Substring(text)
        var out = ""
        while let slashes = rest.firstRange(of: "://") {
            out += rest[..<slashes.upperBound]
            rest = rest[slashes.upperBound...]
            let address = rest.prefix { !$0.isWhitespace }
            rest = rest[address.endIndex...]
            let authority = address.prefix { !"/?#".contains($0) }
            var kept = address
            if let at = authority.lastIndex(of: "@") {
                out += "…"
                kept = address[at...]
            }
            // An address inside another's path, as proxies write them, is searched on its own.
            if let nested = kept.firstRange(of: "://"), !kept[..<nested.lowerBound].contains(where: { "?#".contains($0) }) {
                rest = text[kept.startIndex...]
                out += rest[..<nested.lowerBound]
                rest = rest[nested.lowerBound...]
                continue
            }
            guard let secret = kept.firstIndex(where: { "?#".contains($0) }) else {
                out += kept
                continue
            }
            out += kept[...secret] + "…"
            let closing = kept[secret...].reversed().prefix { "'\",.;:)>]!".contains($0) }
            out += String(closing.reversed())
        }
        return out + rest
    }
}

extension LibavLog.Level {
    /// The gravest named level that is not graver than libav's.
    fileprivate init(libav level: Int32) {
        switch level {
        case ..<8: self = .panic
        case ..<16: self = .fatal
        case ..<24: self = .error
        case ..<32: self = .warning
        case ..<40: self = .info
        default: self = .verbose
        }
    }
}
