internal import Locks
internal import BitsAndTime
internal import Foundation
package import Libav

/// What the server's threads and listeners ask of a producer, and wait for. Any thread.
extension Producer {
    /// What became of a wait for a fragment.
    package enum Outcome: Sendable {
        case ready(FragmentContent)
        /// It will never come: the producer stopped, failed, or the segment is gone for good.
        case unavailable
        case stillPending
    }

    /// Waits for a demanded fragment.
    ///
    /// - Parameter isCancelled: Ends the wait when it turns true and ``nudge()`` is called.
    package func wait(for key: SegmentStore.Key, atMost limit: Duration, isCancelled: () -> Bool = { false }) -> Outcome {
        progress.wait(atMost: limit) { state -> Outcome? in
            // What is about to be dropped is not given any more.
            let isDropped = state.pendingDelay != nil && holdsSound(key.rendition)
            if !isDropped, let content = store.content(key) { return .ready(content) }
            if isCancelled() { return .unavailable }
            if state.isStopped || state.failure != nil { return .unavailable }
            // A sequential session cannot go back for what it no longer has.
            if configuration.plan == nil, state.schedule.isAtEnd || key.index < state.schedule.next[key.rendition, default: 0] { return .unavailable }
            return nil
        } ?? .stillPending
    }

    /// What of a sequential session's rendition is listed, and whether nothing more will be.
    package func listing(of rendition: RenditionID) -> (listing: RenditionListing, isEnded: Bool) {
        progress.update { $0.window.publish(rendition, isAtEnd: $0.schedule.isAtEnd || $0.failure != nil, at: configuration.clock()) }
    }

    /// What a sequential session's rendition lists by a segment's number, if it does.
    package func listedEntry(_ index: Int, of rendition: RenditionID) -> RenditionListing.Entry? {
        progress.read { $0.window.listing(of: rendition).entries.first { $0.index == index } }
    }

    /// Waits until a sequential session's rendition lists so many entries, or never will. Where its sound begins late, a client that waits counts
    /// as one that is there, and production goes on for it.
    package func waitForListing(of rendition: RenditionID, minimum: Int, atMost limit: Duration, isCancelled: () -> Bool) -> Bool {
        let isReady = progress.update { state -> Bool in
            let listing = state.window.listing(of: rendition)
            if listing.end == 0 || listing.entries.first.map({ $0.segments.count > 1 }) ?? false { state.schedule.hasClient = true }
            return listing.removedCount + listing.entries.count >= minimum
        }
        if isReady { return true }
        return progress.wait(atMost: limit) { state -> Bool? in
            if state.schedule.isAtEnd || state.failure != nil || state.isStopped || isCancelled() { return true }
            let listing = state.window.listing(of: rendition)
            return listing.removedCount + listing.entries.count >= minimum ? true : nil
        } ?? false
    }

    /// A sequential session's fragment, which is here or never will be; where it is, the viewer is.
    package func fetch(_ key: SegmentStore.Key) -> FragmentContent? {
        guard let content = store.content(key) else { return nil }
        progress.update { state in
            state.schedule.playhead = key.index
            state.schedule.hasClient = true
            state.window.fetch(key, at: configuration.clock())
        }
        return content
    }

    /// Presents sound later or earlier from the viewer's place on: production begins there anew, and what was made before is no longer served.
    ///
    /// - Returns: Whether it is in force already; `nil` where it cannot be changed: without a plan there is no going back, and once production has
    ///   failed nothing is made again.
    package func setAudioDelay(_ delay: AudioDelay) -> Bool? {
        guard configuration.plan != nil else { return nil }
        return progress.update { state -> Bool? in
            guard state.failure == nil, !state.isStopped else { return nil }
            guard delay != state.pendingDelay ?? state.audioDelay else { return state.pendingDelay == nil }
            state.pendingDelay = delay
            state.soundEpoch += 1
            return false
        }
    }

    /// The delay of what is served now, and the one that was asked for.
    package var audioDelay: (inForce: AudioDelay, pending: AudioDelay?) { progress.read { ($0.audioDelay, $0.pendingDelay) } }
    /// Changes whenever fragments that hold sound become others.
    package var soundEpoch: Int { progress.read { $0.soundEpoch } }
    /// Whether a rendition's fragments hold sound.
    package func holdsSound(_ rendition: RenditionID) -> Bool { rendition != .video || configuration.joined != nil }

    /// What became of a wait for the next segment of a rendition that is listened in on.
    package enum Followed: Sendable {
        case segment(SegmentStore.Resident, isJump: Bool)
        case ended
        case failed(LibavError)
        case cancelled
    }

    /// Waits for the segment that comes next to a listener: asks for nothing, so that nothing is produced for it.
    ///
    /// - Parameter isCancelled: Ends the wait when it turns true and ``nudge()`` is called.
    package func follow(_ place: inout ListeningPlace, of rendition: RenditionID, isCancelled: () -> Bool) -> Followed {
        while true {
            let followed: Followed? = progress.wait(atMost: .seconds(60)) { state -> Followed? in
                if isCancelled() { return .cancelled }
                if state.isStopped { return .ended }
                let produced = state.schedule.next[rendition].map { min(state.schedule.anchor ?? $0, $0)..<$0 }
                let before = place
                let step = place.step(
                    .init(
                        playhead: state.schedule.playhead, produced: produced, count: configuration.plan?.segments.count, isAtEnd: state.schedule.isAtEnd),
                    nextResident: { index in store.firstIndex(of: rendition, from: index) })
                switch step {
                case .take(let index, let isJump):
                    // It may have left since: what was not taken was not passed.
                    guard let resident = store.peek(.init(rendition, index)) else {
                        place = before
                        return nil
                    }
                    return .segment(resident, isJump: isJump)
                case .ended: return .ended
                case .wait: return state.failure.map { .failed($0) }
                }
            }
            if let followed { return followed }
        }
    }
}
