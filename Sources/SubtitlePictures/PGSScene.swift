package import BitsAndTime

/// What the screen shows from one display set on: none to several pictures on a canvas.
package struct PGSScene: Sendable, Equatable {
    package struct Picture: Sendable, Equatable {
        /// On the canvas, in pixels.
        package let x, y, width, height: Int
        /// Palette indices, rows from the top without padding.
        package let pixels: [UInt8]
        /// 256 colours.
        package let palette: [CodedColour]
        package let isForced: Bool
    }

    /// `nil`: of a set without any time.
    package let presentation: MediaTime?
    /// In pixels; zero where the set is too damaged to say.
    package let canvasWidth, canvasHeight: Int
    /// None: what was shown is cleared.
    package let pictures: [Picture]
    package let findings: [PGSFinding]
    /// The set says all it shows: decoding that begins here gives the same as decoding that began earlier.
    package let isSelfContained: Bool

    /// The set builds on an earlier one that was not decoded: reading should have begun at the self-contained set before.
    package var needsEarlier: Bool {
        findings.contains {
            switch $0 {
            case .missingObject, .missingPalette: !isSelfContained
            default: false
            }
        }
    }
}
