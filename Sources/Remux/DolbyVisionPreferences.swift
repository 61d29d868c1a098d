/// What a host wants done with Dolby Vision.
package struct DolbyVisionPreferences: Sendable, Equatable {
    package enum Handling: Sendable, Equatable {
        /// As the source's profile asks.
        case automatic
        /// Nothing of it is claimed where a base layer stands alone.
        case baseLayerOnly
    }

    package var handling: Handling
    /// Profile 8.1 is claimed as profile 5, so that the player composes it itself: for displays without Dolby Vision.
    package var claimsProfile5: Bool

    /// AV1's profiles with a base layer are named to players: those that do not know them refuse the film.
    package var signalsAV1: Bool

    package init(handling: Handling = .automatic, claimsProfile5: Bool = false, signalsAV1: Bool = true) {
        self.signalsAV1 = signalsAV1
        self.handling = handling
        self.claimsProfile5 = claimsProfile5
    }
}
