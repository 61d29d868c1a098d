#if canImport(Network)
import Dispatch
import Network

/// Apple's word that a network path changed: Wi-Fi to Ethernet, a radio that dropped, an address given or taken.
///
/// `@unchecked Sendable`: the monitor is only cancelled, which any thread may do; its handler runs on `queue`.
final class NetworkPathWatch: InterfaceWatch, @unchecked Sendable {
    private let monitor = NWPathMonitor()
    private let queue = DispatchQueue(label: "prism.network-path")

    init(_ onChange: @escaping @Sendable () -> Void) {
        monitor.pathUpdateHandler = { _ in onChange() }
        monitor.start(queue: queue)
    }

    deinit { monitor.cancel() }

    func end() {
        monitor.cancel()
        // A handler that is running is waited for.
        queue.sync {}
    }
}
#endif
