package import Foundation

/// A presentation fetched whole, as a player does that plays to the end.
package enum PlayedPresentation {
    /// FNV-1a over every init and media segment of the picture and the default sound, in order: equal presentations have equal digests.
    ///
    /// - Parameter url: A multivariant playlist on an IPv4 address.
    package static func digest(of url: URL) async throws -> String {
        try await SourceBenchmark.onThread {
            let client = try FetchClient(url)
            let presentation = try ListedPresentation(url, client)
            var digest = FowlerNollVo()
            try presentation.fetchInitialization(client) { digest.add($0) }
            // One for each rendition: how a growing playlist's renditions take turns is chance.
            var digests = [Int: FowlerNollVo]()
            _ = try presentation.drain(client) { digests[$0, default: digest].add($1) }
            return digests.sorted { $0.key < $1.key }.map { String($0.value.value, radix: 16) }.joined(separator: "-")
        }
    }
}

/// FNV-1a, 64 bits: for telling presentations apart, not for trust.
private struct FowlerNollVo {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
