internal import Foundation

/// A player's way of saying that it refused the multivariant playlist itself, where the media playlist under it would play.
public enum MasterRejection {
    /// AVErrorNoCompatibleAlternatesForExternalDisplay (-11868); the same from a panel parked in standard range (-11848); every variant left out
    /// as the playlist was read (-1002, NSURLErrorUnsupportedURL).
    public static let codes: Set<Int> = [-11868, -11848, -1002]

    /// Errors wrap each other; no player's go deeper than two or three.
    private static let deepest = 8

    /// The code of a refusal; `nil` for any other failure.
    ///
    /// - Parameter domain: Each code means something else in other domains.
    public static func code(domain: String, code: Int) -> Int? {
        switch domain {
        case "AVFoundationErrorDomain": code == -11868 || code == -11848 ? code : nil
        case NSURLErrorDomain: code == -1002 ? code : nil
        // AVPlayer's own error log has them all under this one.
        case "CoreMediaErrorDomain": codes.contains(code) ? code : nil
        default: nil
        }
    }

    /// The same for an error as a player has it, or any that it stands under.
    public static func code(of error: any Error) -> Int? {
        var next: (any Error)? = error
        for _ in 0..<deepest {
            guard let current = next.map({ $0 as NSError }) else { return nil }
            if let found = code(domain: current.domain, code: current.code) { return found }
            next = current.userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return nil
    }
}
