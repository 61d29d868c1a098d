extension LoopbackHTTPServer {
    /// Bounds on what one client can hold of this process. Zero or negative values mean the smallest that still serves.
    package struct Limits: Sendable, Equatable {
        /// Longest request line without its CRLF; longer is 414.
        package var requestLineBytes = 8 * 1024
        /// Longest request head, request line and final empty line included; longer is 431.
        package var headBytes = 64 * 1024
        /// The last answer says `Connection: close`.
        package var requestsPerConnection = 100
        /// How long a connection may sit between requests, and how long one request head may take to arrive.
        package var idleTimeout: Duration = .seconds(10)
        /// A pending GET gets its headers after this long. AVPlayer gives a media request about 3.5 s to show response headers.
        package var earlyHeaderDelay: Duration = .seconds(2)
        /// How long a pending resource is waited for in all.
        package var pendingBudget: Duration = .seconds(15)
        /// How long a client may take not a single byte of an answer before it is cut.
        package var sendTimeout: Duration = .seconds(30)
        /// Connections served at once, a thread each. More wait in the listen queue.
        package var connections = 128

        package static let `default` = Limits()

        package init() {}
    }
}
