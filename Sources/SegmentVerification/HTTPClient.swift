package import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Fetches what a server offers, as a player would.
package struct HTTPClient: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case status(Int, path: String)
        case transport(path: String)

        package var description: String {
            switch self {
            case .status(let status, let path): "\(path): HTTP \(status)"
            case .transport(let path): "\(path): no whole answer"
            }
        }
    }

    private let session: URLSession

    package init(timeout: TimeInterval = 60) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.connectionProxyDictionary = [:]
        session = URLSession(configuration: configuration)
    }

    package func get(_ url: URL) async throws(Failure) -> [UInt8] {
        let answer: (Data, URLResponse)
        do {
            answer = try await session.data(from: url)
        } catch {
            throw .transport(path: url.path)
        }
        guard let response = answer.1 as? HTTPURLResponse, response.statusCode == 200 else {
            throw .status((answer.1 as? HTTPURLResponse)?.statusCode ?? 0, path: url.path)
        }
        return [UInt8](answer.0)
    }
}
