internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A failed libav call. Holds libav's code and its own text for it, and never an address, header or credential.
package struct LibavError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a caller can act on.
    package enum Kind: Sendable, Hashable {
        /// The ``Interrupter`` was cancelled, or its deadline passed.
        case cancelled, deadlineExpired
        case endOfFile
        case notFound, permissionDenied, isDirectory
        /// The bytes are not what they claim to be, or no demuxer knows them.
        case invalidData
        /// libav names 400, 401, 403, 404 and (since 7) 429; any other 4xx is 400 and any 5xx is 500, as a client treats
        /// a status it does not know (RFC 9110, clause 15).
        case httpStatus(Int)
        /// This build lacks the demuxer, decoder or protocol, or the input cannot do what was asked (seek on a pipe).
        case unsupported
        case outOfMemory
        /// A packet that cannot be decoded without a key.
        case encrypted
        /// The codec's configuration changed to one that its decoder and its readers must be set up for anew.
        case inputChanged
        /// Another `errno` of the system.
        case io(Int32)
        case other
    }

    /// libav's raw code, below zero.
    package let code: Int32
    package let kind: Kind
    /// The step that failed: "open", "open what it names" (a file that a local file refers to), "open any of what it names" (all parts of a list, one after another), "find stream info", "read", "seek", "load index", "open decoder", "send", "receive", "open encoder", "encode", "open resampler", "resample", "queue", "shape", "read a range".
    package let operation: String
    /// libav's text for `code`.
    package let message: String

    package var description: String { "\(operation): \(message) (\(code))" }

    /// - Parameter interrupter: when it has fired, the failure is laid to it whatever the code says, since demuxers
    ///   turn an interrupted read into errors and ends of file of their own.
    init(code: Int32, operation: String, interrupter: Interrupter? = nil) {
        self.code = code
        self.operation = operation
        switch interrupter?.interruption {
        case .cancelled: kind = .cancelled
        case .deadlineExpired: kind = .deadlineExpired
        case nil: kind = LibavError.classify(code)
        }
        message = LibavError.text(code)
    }

    /// A packet came that is encrypted; libav delivers it like any other.
    package static func encrypted(operation: String) -> LibavError {
        LibavError(code: prism_averror(EACCES), kind: .encrypted, operation: operation, message: "the packet is encrypted")
    }

    /// A packet came whose codec configuration is not the one the stream was described by.
    package static func inputChanged(operation: String) -> LibavError {
        LibavError(code: PRISM_AVERROR_INPUT_CHANGED, operation: operation)
    }

    private init(code: Int32, kind: Kind, operation: String, message: String) {
        (self.code, self.kind, self.operation, self.message) = (code, kind, operation, message)
    }

    /// An error of the system's, raised by this room or by a ``DemuxerInput``.
    package init(errno number: Int32, operation: String) {
        self.init(code: prism_averror(number), operation: operation)
    }

    /// No decoder reads the stream that was given to one.
    package static var noDecoder: LibavError { LibavError(code: PRISM_AVERROR_DECODER_NOT_FOUND, operation: "open decoder") }

    /// None of the parts that a list names could be opened.
    static let noPartOpens = LibavError(errno: ENOENT, operation: "open any of what it names")

    private static func classify(_ code: Int32) -> Kind {
        switch code {
        case PRISM_AVERROR_EOF: return .endOfFile
        case PRISM_AVERROR_EXIT: return .cancelled
        case PRISM_AVERROR_INVALIDDATA: return .invalidData
        case PRISM_AVERROR_INPUT_CHANGED: return .inputChanged
        case PRISM_AVERROR_PATCHWELCOME, PRISM_AVERROR_DEMUXER_NOT_FOUND, PRISM_AVERROR_DECODER_NOT_FOUND,
            PRISM_AVERROR_ENCODER_NOT_FOUND, PRISM_AVERROR_PROTOCOL_NOT_FOUND, PRISM_AVERROR_FILTER_NOT_FOUND,
            PRISM_AVERROR_BSF_NOT_FOUND:
            return .unsupported
        case prism_averror(ENOENT): return .notFound
        case prism_averror(EACCES), prism_averror(EPERM): return .permissionDenied
        case prism_averror(EISDIR): return .isDirectory
        case prism_averror(ENOSYS), prism_averror(ESPIPE): return .unsupported
        case prism_averror(ENOMEM): return .outOfMemory
        case prism_averror(EINVAL): return .other
        default: break
        }
        let status = prism_http_status(code)
        if status != 0 { return .httpStatus(Int(status)) }
        // Tagged codes are far below any errno.
        return code < 0 && code > -4096 ? .io(-code) : .other
    }

    private static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            base.initialize(repeating: 0, count: buffer.count)
            _ = av_strerror(code, base, buffer.count)
            return String(cString: base)
        }
    }
}
