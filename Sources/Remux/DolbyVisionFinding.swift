/// What was found out or decided about a track's Dolby Vision that a report should say.
package enum DolbyVisionFinding: Sendable, Equatable, CustomStringConvertible {
    /// The container names none, the bitstream is of this profile.
    case recordMissing(profile: Int)
    /// The bitstream's units are of another profile than the record: they are right.
    case recordContradicted(recorded: Int, unit: Int)
    /// The pictures say that they are BT.2020 YCbCr, which those of this profile are not, and no unit could be read that settles it.
    case recordDoubtful(profile: Int)
    /// A record of this profile, and no unit in the pictures looked at.
    case noUnits(profile: Int)
    case compatibilityNormalised(recorded: Int, served: Int)
    /// The record calls the base layer something else than its own transfer characteristics do.
    case compatibilityContradicted(recorded: Int, transfer: Int?)
    /// No player decodes this as Dolby Vision: its base layer plays.
    case notRoutable(profile: Int, compatibilityID: Int)
    case baseLayerOnly
    /// The host wants the base layer alone, and there is none.
    case noBaseLayer(profile: Int)
    case claimedAsProfile5
    /// Nobody says that the display takes Dolby Vision from AV1: its base layer plays.
    case notSignalledInAV1
    /// `nil`: the first unit does not tell which it is.
    case enhancementLayerLeftOut(isFull: Bool?)

    package var description: String {
        switch self {
        case .recordMissing(let profile): "the container has no record; the units are of profile \(profile)"
        case .recordContradicted(let recorded, let unit): "the record says profile \(recorded), the units are of profile \(unit)"
        case .recordDoubtful(let profile): "a record of profile \(profile) over BT.2020 YCbCr pictures"
        case .noUnits(let profile): "a record of profile \(profile), and pictures without a reference processing unit: the base layer plays"
        case .compatibilityNormalised(let recorded, let served): "compatibility \(recorded) is served as \(served)"
        case .compatibilityContradicted(let recorded, let transfer):
            "compatibility \(recorded) over pictures of transfer characteristics \(transfer.map(String.init) ?? "unspecified"): the base layer plays"
        case .notRoutable(let profile, let compatibility): "profile \(profile), compatibility \(compatibility) is not routable: the base layer plays"
        case .baseLayerOnly: "the base layer alone, as asked"
        case .noBaseLayer(let profile): "the base layer alone was asked for, and profile \(profile) has none"
        case .notSignalledInAV1: "nobody says that the display takes it from AV1: the base layer plays"
        case .claimedAsProfile5: "profile 8.1 is claimed as profile 5, as asked"
        case .enhancementLayerLeftOut(let isFull):
            switch isFull {
            case true?: "the full enhancement layer is left out"
            case false?: "the minimal enhancement layer is left out; nothing is lost"
            case nil: "the enhancement layer is left out"
            }
        }
    }
}
