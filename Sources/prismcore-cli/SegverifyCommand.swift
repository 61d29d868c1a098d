import Foundation
import PrismCore

/// `segverify`: every served segment, held against what the playlist promises.
struct SegverifyCommand {
    init(_ arguments: ArgumentParser) throws(UsageError) { _ = try arguments.sourceURL() }
    func run() async throws -> Int32 { 1 }
}
