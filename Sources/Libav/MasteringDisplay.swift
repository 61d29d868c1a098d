/// The colour volume of the display a picture was graded on, in the integers of the standard.
///
/// SMPTE ST 2086:2018; ISO/IEC 14496-12:2022, clause 12.1.5 (`mdcv` holds the primaries as green, blue, red).
package struct MasteringDisplay: Sendable, Hashable {
    /// A CIE 1931 chromaticity in steps of 0.00002.
    package struct Chromaticity: Sendable, Hashable {
        package let x, y: UInt16

        package init(x: UInt16, y: UInt16) {
            self.x = x
            self.y = y
        }
    }

    package let red, green, blue, whitePoint: Chromaticity
    /// In steps of 0.0001 cd/m².
    package let maximumLuminance, minimumLuminance: UInt32

    package init(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, whitePoint: Chromaticity, maximumLuminance: UInt32,
        minimumLuminance: UInt32
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.whitePoint = whitePoint
        self.maximumLuminance = maximumLuminance
        self.minimumLuminance = minimumLuminance
    }
}

/// How bright the content gets, in cd/m²; 0 when not said.
///
/// CTA-861.3-A, annex P; ISO/IEC 14496-12:2022, clause 12.1.6 (`clli`).
package struct ContentLightLevel: Sendable, Hashable {
    /// Of the brightest pixel (MaxCLL).
    package let maximum: UInt16
    /// Of the brightest frame's average (MaxFALL).
    package let maximumFrameAverage: UInt16

    package init(maximum: UInt16, maximumFrameAverage: UInt16) {
        self.maximum = maximum
        self.maximumFrameAverage = maximumFrameAverage
    }
}
