public import LoopbackHTTP

/// The server of a session. Hosts do not make one; they use the names inside: who can reach it
/// (``LoopbackHTTP/LoopbackHTTPServer/Reachability``), whether its address is still there (``LoopbackHTTP/LoopbackHTTPServer/ServiceAddress``),
/// and why there is none (``LoopbackHTTP/LoopbackHTTPServer/NoLocalNetworkInterface``).
public typealias LoopbackHTTPServer = LoopbackHTTP.LoopbackHTTPServer
