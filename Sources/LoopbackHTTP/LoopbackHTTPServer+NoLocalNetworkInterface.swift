extension LoopbackHTTPServer {
    /// The server was to be reachable from the local network and no interface of this machine is fit for that. Nothing was published.
    public struct NoLocalNetworkInterface: Error, Sendable, Equatable, CustomStringConvertible {
        /// An interface that was looked at, and why it will not do.
        public struct Rejection: Sendable, Equatable {
            public let name: String
            public let address: String
            /// In words, to follow the name: "is a tunnel".
            public let reason: String

            package init(name: String, address: String, reason: String) {
                self.name = name
                self.address = address
                self.reason = reason
            }
        }

        /// The interface or address that was asked for, if one was.
        public let wanted: String?
        public let rejected: [Rejection]

        package init(wanted: String?, rejected: [Rejection]) {
            self.wanted = wanted
            self.rejected = rejected
        }

        public var description: String {
            let all = rejected.map { "\($0.name) (\($0.address)) \($0.reason)" }.joined(separator: ", ")
            let lead = wanted.map { "\($0) is no interface the local network can reach" } ?? "no network interface that the local network can reach"
            return all.isEmpty ? "\(lead): this machine has no IPv4 address" : "\(lead): \(all)"
        }
    }
}
