package import Libav
package import TimedText

/// What makes cues of one stream's packets. Used by one thread at a time.
package protocol PacketCues: AnyObject {
    /// What follows was not read before: reading began anew somewhere.
    func begin()
    /// The cues a packet completes, on the source's presentation axis.
    func take(_ packet: Packet) -> [TextCue]
    /// The source is at its end: what is left.
    func finish() -> [TextCue]
}
