/// The status codes this server answers with.
///
/// RFC 9110 §15; 431 is RFC 6585 §5.
package enum Status: Int, Sendable {
    case ok = 200
    case noContent = 204
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case preconditionFailed = 412
    case contentTooLarge = 413
    case uriTooLong = 414
    case rangeNotSatisfiable = 416
    case misdirectedRequest = 421
    case requestHeaderFieldsTooLarge = 431
    case serviceUnavailable = 503
    case versionNotSupported = 505

    package var reason: String {
        switch self {
        case .ok: "OK"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .misdirectedRequest: "Misdirected Request"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}
