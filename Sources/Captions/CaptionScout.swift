internal import BitsAndTime

/// Looks at the first pictures of a stream for the channels that carry text. Padding, erasing, extended data services and the text services are none.
package struct CaptionScout: Sendable {
    /// About a second of film.
    package static let pictureLimit = 28

    private var receiver = CaptionReceiver()
    package private(set) var pictureCount = 0
    /// Pictures that had triplets at all, be they padding: the stream has room for captions.
    package private(set) var captionedPictureCount = 0

    package init() {}

    /// - Parameter triplets: Of the next picture, in presentation order as far as that is known.
    package mutating func look(at triplets: [CaptionTriplet]) {
        guard !isFinished else { return }
        pictureCount += 1
        if !triplets.isEmpty { captionedPictureCount += 1 }
        // Times do not matter here.
        for triplet in triplets { _ = receiver.take(triplet, at: .zero) }
    }

    package var isFinished: Bool { pictureCount >= Self.pictureLimit }

    /// What was found so far. Characters of which no code said whose they are count for CC1: pictures from the middle of a text have no more.
    package var channels: [CaptionChannel] { receiver.channels }
}
