extension LoopbackHTTPServer {
    /// Whether the address in the playlist's URL still leads here. The server never moves to another one: players hold the old one.
    public enum ServiceAddress: Sendable, Equatable {
        /// Served at this IPv4 address.
        case available(String)
        /// The interface lost this address, or its link. Requests that still arrive are answered 503 until it is back; a host that does not
        /// want to wait stops the session and starts another.
        case addressLost(String)
    }
}
