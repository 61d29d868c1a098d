internal import Foundation

/// Runs blocking calls on threads of their own: on the cooperative pool a handful of stalled origins would stop every task of the process.
enum BlockingWork {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.name = "prism.blocking"
            thread.stackSize = 1 << 20
            thread.start()
        }
    }
}
