package import TimedText

/// One of the captions a picture can carry beside others.
package enum CaptionChannel: Sendable, Hashable, Comparable {
    /// CC1…CC4: 1 and 2 of the first field, 3 and 4 of the second.
    case cea608(Int)
    /// A service of DTVCC, 1…63; 1 is the primary one.
    case cea708(Int)

    /// As HLS names it (RFC 8216bis §4.4.6.1, INSTREAM-ID): CC1, SERVICE1.
    package var instreamIdentifier: String {
        switch self {
        case .cea608(let number): "CC\(number)"
        case .cea708(let number): "SERVICE\(number)"
        }
    }
}

/// A cue and whose it is.
package struct Caption: Sendable, Hashable {
    package let channel: CaptionChannel
    package let cue: TextCue

    package init(channel: CaptionChannel, cue: TextCue) {
        (self.channel, self.cue) = (channel, cue)
    }
}
