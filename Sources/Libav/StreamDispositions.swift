/// What a container says a stream is for.
package struct StreamDispositions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let `default` = StreamDispositions(rawValue: 1 << 0)
    package static let original = StreamDispositions(rawValue: 1 << 1)
    package static let dub = StreamDispositions(rawValue: 1 << 2)
    package static let comment = StreamDispositions(rawValue: 1 << 3)
    package static let forced = StreamDispositions(rawValue: 1 << 4)
    package static let hearingImpaired = StreamDispositions(rawValue: 1 << 5)
    package static let visualImpaired = StreamDispositions(rawValue: 1 << 6)
    package static let attachedPicture = StreamDispositions(rawValue: 1 << 7)
    package static let captions = StreamDispositions(rawValue: 1 << 8)
    package static let descriptions = StreamDispositions(rawValue: 1 << 9)
}
