/// What the server serves: a flat set of exact names, owned by one playback session.
///
/// The server never touches a file system by name, so there is no path to traverse: a name the provider does not know is a 404, whatever
/// dots and slashes it holds. Called on connection threads, several at once; must answer without blocking (what is not there yet is
/// `.pending`).
package protocol ResourceProvider: Sendable {
    /// - Parameter name: the percent-decoded path of the request, without the leading slash and without the query. Untrusted.
    func resource(named name: String) -> ResourceAnswer
}
