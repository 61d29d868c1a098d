internal import Libav
internal import Remux

extension PrismCoreSession {
    /// What a film comes to at a player: two players for which it comes to the same may share a session.
    package struct Outcome: Sendable, Hashable {
        /// Why the picture does not reach the player; `nil` where it does.
        package let refusal: String?
        /// What becomes of each audio track, in words.
        package let sound: [String]
    }

    /// What this film would come to at another player, all other options as they are; `nil` before the source is known.
    ///
    /// - Parameter player: `nil`: the one this session is for.
    package func outcome(for player: PlayerCapabilities?) -> Outcome? {
        guard let source = openedSource else { return nil }
        let player = player ?? options.player
        var refusal: String?
        do throws(RoutingFailure) {
            let decision = try PrismCoreEngine.decide(for: source.info, capabilities: player)
            if decision.engine != .remux { refusal = decision.reason }
        } catch {
            refusal = "\(PrismCoreError.classify(error))"
        }
        let sound = source.audio.map { stream, verdict in
            let channels = min(stream.channels, options.audioShaping.maxChannels ?? .max)
            func made(_ ladder: BridgeLadder) -> String {
                ladder.rung(channels: channels, has: BridgeFormat.canEncode).map { "\($0.codec) \($0.maximumChannels)" } ?? "none"
            }
            // Any track may be the one that boosts are made of, and those are encoded though it is copied.
            let boost = options.dialogueBoost.isEmpty ? "" : ", boosted as \(made(TrackRouting.ladder(of: player, mode: options.audioBridgeMode)))"
            switch options.route(stream, verdict: verdict, for: player) {
            case .copied: return "copied" + boost
            case .bridged(let ladder, _): return made(ladder) + boost
            case .refused: return "refused"
            }
        }
        return Outcome(refusal: refusal, sound: sound)
    }
}

extension PrismCoreSession.Options {
    /// What becomes of a track at a player, with all that is asked for of its sound.
    func route(_ stream: StreamInfo, verdict: TrackAnalyzer.Verdict, for player: PlayerCapabilities) -> TrackRouting.SoundRoute {
        TrackRouting.sound(.init(stream, verdict: audioShaping.routed(verdict, of: stream)), for: player, mode: audioBridgeMode)
    }
}
