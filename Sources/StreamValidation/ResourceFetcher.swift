package import Foundation

/// A resource as it came from a server or a disk.
package struct Fetched: Sendable {
    package var bytes: [UInt8]
    /// By lower-case name; `nil` where it did not come over HTTP, and nothing can be said of its delivery.
    package var headers: [String: String]?
    /// Differs from the address that was asked for after a redirect.
    package var url: URL

    package init(bytes: [UInt8], headers: [String: String]? = nil, url: URL) {
        self.bytes = bytes
        self.headers = headers
        self.url = url
    }
}

/// Why a resource did not come.
package struct FetchFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Where a validator gets its bytes.
package protocol ResourceFetcher: Sendable {
    /// - Parameter range: Bytes of the resource; all of it without.
    func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched
}

/// Reads `file:` URLs, for a presentation that lies on a disk.
package struct FileFetcher: ResourceFetcher {
    package init() {}

    package func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched {
        let data: Data
        do {
            data = try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw FetchFailure("\(url.lastPathComponent) cannot be read")
        }
        guard let range else { return Fetched(bytes: [UInt8](data), url: url) }
        guard range.lowerBound >= 0, range.upperBound <= data.count else {
            throw FetchFailure("bytes \(range.lowerBound)..<\(range.upperBound) of a file of \(data.count)")
        }
        return Fetched(bytes: [UInt8](data[range]), url: url)
    }
}
