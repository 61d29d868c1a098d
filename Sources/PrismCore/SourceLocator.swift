internal import Foundation

/// A source's address, in the forms it is needed in.
struct SourceLocator: Sendable, Equatable {
    let url: URL

    /// What libavformat is given: a plain path for files, so that no character of a name is taken for syntax.
    var libavURL: String { url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString }

    /// Of a source on this machine.
    var path: String? { url.isFileURL ? url.path(percentEncoded: false) : nil }

    /// How the source is named to people: a file's name, a remote one's host and path. Never a query or credentials.
    var displayName: String {
        if url.isFileURL { return url.lastPathComponent }
        return (url.host() ?? "") + url.path(percentEncoded: false)
    }
}
