/// What the platform knows of its network interfaces. It lists facts and says that they may have changed; what follows from them is
/// decided elsewhere, the same on every platform.
package protocol InterfaceFacts: Sendable {
    /// Every IPv4 address of every interface, in the system's order; down and loopback ones too.
    func current() throws(ServerError) -> [NetworkInterface]

    /// Calls `onChange`, one call at a time, whenever `current` may have a new answer; sometimes when it has not. Until the watch is ended or released.
    ///
    /// - Parameter onChange: Must neither block nor end the watch.
    func watch(_ onChange: @escaping @Sendable () -> Void) -> any InterfaceWatch
}

/// A watch that goes on.
package protocol InterfaceWatch: Sendable {
    /// No call of `onChange` is running or begins once this has returned. More than once is harmless.
    func end()
}
