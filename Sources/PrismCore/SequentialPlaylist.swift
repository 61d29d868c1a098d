internal import BitsAndTime
internal import Foundation
internal import Remux

/// What a session without a plan (a live source, one without a usable index) does with segments that were played: none of them can be
/// produced a second time.
public enum SequentialPlaylist: Sendable, Equatable {
    /// The playlists are EVENT and never lose an entry (RFC 8216 §4.3.3.5). They keep offering what the byte budget had no room for; asked
    /// for, that is a 404.
    case event
    /// The playlists list this much before the segment fetched last and everything behind it; what they no longer list is deleted once no
    /// client can still be reading an older version of them (RFC 8216 §6.2.2). Never less than three target durations. The byte budget bounds
    /// what is listed and wins over the seconds; what waits for its deletion comes on top, so it should hold about twice the seconds and a minute.
    case slidingWindow(seconds: Double)

    func shape(budget: Int) -> SlidingWindow.Shape {
        switch self {
        case .event: .event
        case .slidingWindow(let seconds): .window(span: MediaTime(seconds: max(0, min(seconds, 1e9)), timescale: 1000), budget: budget)
        }
    }

    var storePolicy: SegmentStore.Policy {
        self == .event ? .spilling(directory: NSTemporaryDirectory()) : .retaining(directory: NSTemporaryDirectory())
    }
}
