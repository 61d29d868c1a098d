extension LoopbackHTTPServer {
    /// Who can reach the server.
    public enum Reachability: String, Sendable, Codable, CaseIterable {
        /// Programs on this machine: the server binds 127.0.0.1.
        case loopbackOnly
        /// Also other devices on the local network, an AirPlay receiver or a browser there. Cleartext HTTP: whoever can observe that network
        /// sees the token, the playlists and the media, and whoever holds the token can fetch the session for as long as it runs. For a
        /// network the user trusts, while it is needed, and not longer.
        ///
        /// The server binds one IPv4 address of one interface and answers only requests that carry a token of 192 random bits.
        case localNetworkUnencryptedForAirPlay
    }
}
