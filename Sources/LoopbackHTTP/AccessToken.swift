/// What a client on the local network has to know to be answered: 192 random bits as 32 characters of base64url, which need no escaping in
/// a URL. It makes the server unguessable, not private.
///
/// Printing one shows nothing: only `pathComponent` gives the characters out. Not `Equatable`: comparing goes through `matches`.
///
/// RFC 4648 §5.
package struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// Characters, of six bits each.
    private static let length = 32

    private let characters: [UInt8]

    /// From the system's generator, which is a cryptographically secure one: getrandom(2) on Linux, arc4random_buf(3) on Apple systems.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// - Parameter generator: Anything but a cryptographically secure one is for tests.
    init(using generator: inout some RandomNumberGenerator) {
        characters = (0..<Self.length).map { _ in Self.alphabet[Int(UInt8.random(in: 0...63, using: &generator))] }
    }

    /// As it stands in URLs. For the playlist's URL and nothing else: never for a log.
    package var pathComponent: String { String(decoding: characters, as: UTF8.self) }

    /// Whether `candidate` is this token. Takes the same steps whatever the candidate holds: how much of it is right cannot be told from
    /// the time it takes.
    package func matches(_ candidate: some Sequence<UInt8>) -> Bool {
        var iterator = candidate.makeIterator()
        var difference: UInt8 = 0
        // A candidate too short reads as zeros, which no character is.
        for character in characters { difference |= character ^ (iterator.next() ?? 0) }
        let isLonger = iterator.next() != nil
        return difference == 0 && !isLonger
    }

    package var description: String { "AccessToken" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
