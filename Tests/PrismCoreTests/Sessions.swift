import Foundation
import PrismCore
import Testing

/// Few tests at a time: each makes a film, plays it and computes with its samples, and dozens of them at once on two processors leave none the time to begin.
struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // A suite is not one of the few: it would wait for its own tests.
        guard testCase != nil else { return try await function() }
        await Places.all.take()
        do { try await function() } catch {
            await Places.all.leave()
            throw error
        }
        await Places.all.leave()
    }

    private actor Places {
        static let all = Places()
        private var free = 3
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            guard free == 0 else { return free -= 1 }
            await withCheckedContinuation { waiting.append($0) }
        }

        func leave() {
            guard waiting.isEmpty else { return waiting.removeFirst().resume() }
            free += 1
        }
    }
}

extension Trait where Self == FewAtATime {
    static var fewAtATime: Self { Self() }
}

extension PrismCoreSession {
    /// Starts with more time than any machine needs: what a test of something else must not hang on is how busy the machine is.
    func startWithoutHurry() async throws -> URL { try await start(startupTimeout: .seconds(600)) }
}
