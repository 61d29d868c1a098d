extension LoopbackHTTPServer {
    /// Bounds on what one client can hold of this process. Zero or negative values mean the smallest that still serves.
    package struct Limits: Sendable, Equatable {
        /// Longest request line without its CRLF; longer is 414.
        package var requestLineBytes = 8 * 1024
        /// Longest request head, request line and final empty line included; longer is 431.
        package var headBytes = 64 * 1024
        /// Most fields in a request head; more is 431. Browsers send about fifteen.
        package var headFields = 100
        /// The last answer says `Connection: close`. A new connection costs a thread, as much as several requests.
        package var requestsPerConnection = 1000
        /// How long a connection may sit between requests.
        /// Longer than a client waits between two versions of a playlist that grows, whose target duration is 12 s; who needs the place displaces it.
        package var idleTimeout: Duration = .seconds(30)
        /// How long one request head may take to arrive, from its first byte to its last, however steadily it drips; longer is 408.
        package var headTimeout: Duration = .seconds(10)
        /// A pending GET gets its headers after this long. AVPlayer gives a media request about 3.5 s to show response headers.
        package var earlyHeaderDelay: Duration = .seconds(2)
        /// How long a pending resource is waited for in all.
        package var pendingBudget: Duration = .seconds(15)
        /// How long a client may take not a single byte of an answer before it is cut.
        package var sendTimeout: Duration = .seconds(30)
        /// Bytes a second a client must take of an answer on average, once `sendTimeout` is used up: a reader of single bytes holds a
        /// connection no longer than one of none. Far below any film's rate.
        package var leastSendRate = 4 * 1024
        /// Connections served at once, a thread each. At this many, a new one takes the place of the one that has waited longest for its
        /// client (see `ConnectionActivity`); if none waits, it is answered 503.
        package var connections = 128
        /// How long a client must have taken nothing of an answer for its connection to count as waiting.
        package var yieldAfterStall: Duration = .seconds(2)

        package static let `default` = Limits()

        package init() {}
    }
}
