/// What a diagnostic report wants to know about serving. Names come without their query and without the token.
package enum ServerEvent: Sendable, Equatable {
    /// The resource came, but later than `Limits.earlyHeaderDelay`.
    case slowServe(name: String, waited: Duration)
    /// The resource did not come within `Limits.pendingBudget`.
    case serveTimedOut(name: String)
    /// The provider gave up on a pending resource.
    case serveFailed(name: String)
    /// A server for the local network lost its address, or has it back.
    case serviceAddressChanged(LoopbackHTTPServer.ServiceAddress)
}
