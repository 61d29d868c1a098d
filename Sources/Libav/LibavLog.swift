internal import CFFmpeg
internal import Locks
internal import Redaction

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
                text: Redaction.addresses(in: String(cString: text))))
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
