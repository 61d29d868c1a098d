package import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
package import StreamValidation

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
    private let headers: [String: String]

    /// - Parameter headers: Sent with every request.
    package init(timeout: TimeInterval = 60, headers: [String: String] = [:]) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.connectionProxyDictionary = [:]
        session = URLSession(configuration: configuration)
        self.headers = headers
    }

    package func get(_ url: URL) async throws(Failure) -> [UInt8] {
        let (data, response) = try await answer(URLRequest(url: url))
        guard response.statusCode == 200 else { throw .status(response.statusCode, path: url.path) }
        return [UInt8](data)
    }

    private func answer(_ request: URLRequest) async throws(Failure) -> (Data, HTTPURLResponse) {
        let path = request.url?.path ?? ""
        var request = request
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let answer: (Data, URLResponse)
        do {
            answer = try await session.data(for: request)
        } catch {
            throw .transport(path: path)
        }
        guard let response = answer.1 as? HTTPURLResponse else { throw .status(0, path: path) }
        return (answer.0, response)
    }
}

extension HTTPClient: ResourceFetcher {
    package func fetch(_ url: URL, range: Range<Int>?) async throws(FetchFailure) -> Fetched {
        var request = URLRequest(url: url)
        if let range { request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range") }
        let answer: (Data, HTTPURLResponse)
        do throws(Failure) {
            answer = try await self.answer(request)
        } catch {
            throw FetchFailure(error.description)
        }
        let (data, response) = answer
        var fields: [String: String] = [:]
        for case let (name as String, value as String) in response.allHeaderFields { fields[name.lowercased()] = value }
        let from = response.url ?? url
        switch (response.statusCode, range) {
        case (200, nil), (206, .some): return Fetched(bytes: [UInt8](data), headers: fields, url: from)
        // A server that does not know ranges sends all of it.
        case (200, let range?) where range.upperBound <= data.count: return Fetched(bytes: [UInt8](data[range]), headers: fields, url: from)
        default: throw FetchFailure("\(url.path): HTTP \(response.statusCode)")
        }
    }
}
