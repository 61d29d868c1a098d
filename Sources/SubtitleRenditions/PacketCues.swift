package import BitsAndTime
package import Libav
package import TimedText

/// What makes cues of one stream's packets. Used by one thread at a time.
package protocol PacketCues: AnyObject {
    /// What follows does not follow what came: reading begins anew.
    ///
    /// - Parameter isAtHead: Nothing of the stream comes before.
    func begin(isAtHead: Bool)
    /// The cues a packet completes, on the source's presentation axis. May take as long as reading a picture of words does.
    ///
    /// - Parameter nearby: Where the source's other streams are, for packets without a time.
    func take(_ packet: Packet, nearby: MediaTime?) -> [PacketCue]
    /// The source is at its end: what is left.
    func finish() -> [PacketCue]
    /// Since when something is shown whose end is not known yet, and which is therefore no cue yet.
    var openSince: MediaTime? { get }
}

/// A cue, and which of a stream's tracks it is of: one stream of pictures carries several captions.
package struct PacketCue: Sendable {
    package let lane: Int
    package let cue: TextCue

    package init(_ cue: TextCue, lane: Int = 0) {
        (self.cue, self.lane) = (cue, lane)
    }
}
