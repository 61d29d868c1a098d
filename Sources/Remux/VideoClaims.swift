internal import DolbyVision

/// What a presentation says of its picture, all of it in one value: the variant's attributes, what a display is asked for, and which playlist
/// may be served are read off this and nothing else.
package struct VideoClaims: Sendable, Equatable {
    /// Dolby Vision as it is signalled, after any conversion (Dolby Vision Streams Within the ISO Base Media File Format §3.1).
    package struct DolbyVision: Sendable, Equatable {
        package var profile: Int
        package var level: Int
        package var compatibilityID: Int

        package init(profile: Int, level: Int, compatibilityID: Int) {
            self.profile = profile
            self.level = level
            self.compatibilityID = compatibilityID
        }
    }

    /// The picture without its Dolby Vision.
    package struct BaseLayer: Sendable, Equatable {
        package var codecString: String
        package var range: TrackDescription.DynamicRange

        package init(codecString: String, range: TrackDescription.DynamicRange) {
            self.codecString = codecString
            self.range = range
        }
    }

    /// Pictures a second, both above zero.
    package struct FrameRate: Sendable, Equatable {
        package var numerator: Int32
        package var denominator: Int32

        package init?(numerator: Int32, denominator: Int32) {
            guard numerator > 0, denominator > 0 else { return nil }
            self.numerator = numerator
            self.denominator = denominator
        }

        package var hertz: Double { Double(numerator) / Double(denominator) }
    }

    /// CODECS, this track's part (RFC 6381).
    package var codecString: String
    /// SUPPLEMENTAL-CODECS, each with its brands (RFC 8216bis §4.4.6.2).
    package var supplementalCodecs: [String]
    /// VIDEO-RANGE.
    package var range: TrackDescription.DynamicRange
    /// `nil` where none is signalled, whatever the samples carry.
    package var dolbyVision: DolbyVision?
    /// `nil` where nothing but a Dolby Vision decoder can show the picture: profile 5 and AV1's 10.0, whose colours are IPT-PQ-c2.
    package var baseLayer: BaseLayer?
    /// `nil` where unknown.
    package var frameRate: FrameRate?
    /// In square pixels.
    package var width: Int
    package var height: Int

    package init(
        codecString: String, supplementalCodecs: [String] = [], range: TrackDescription.DynamicRange, dolbyVision: DolbyVision? = nil, baseLayer: BaseLayer?,
        frameRate: FrameRate?, width: Int, height: Int
    ) {
        self.codecString = codecString
        self.supplementalCodecs = supplementalCodecs
        self.range = range
        self.dolbyVision = dolbyVision
        self.baseLayer = baseLayer
        self.frameRate = frameRate
        self.width = width
        self.height = height
    }

    /// What a video track says of itself; `nil` for audio.
    package init?(_ track: TrackDescription) {
        guard let picture = track.video else { return nil }
        self.init(
            codecString: track.codecString, supplementalCodecs: track.supplementalCodecs, range: picture.dynamicRange,
            dolbyVision: track.dolbyVision?.record.map { DolbyVision(profile: Int($0.profile), level: Int($0.level), compatibilityID: Int($0.compatibilityID)) },
            baseLayer: track.baseCodecString.map { BaseLayer(codecString: $0, range: picture.dynamicRange) },
            frameRate: picture.frameRate.flatMap { FrameRate(numerator: $0.numerator, denominator: $0.denominator) },
            width: picture.displayWidth, height: picture.height)
    }

    /// Whether a player without a Dolby Vision decoder cannot play it: the sample entry itself is Dolby Vision's.
    package var needsDolbyVision: Bool { ["dvh1", "dvhe", "dav1"].contains(String(codecString.prefix(4))) }

    /// The same without what a player may add to the base layer; `nil` where that is nothing.
    package var reduced: VideoClaims? {
        guard !supplementalCodecs.isEmpty else { return nil }
        var claims = self
        claims.supplementalCodecs = []
        claims.dolbyVision = nil
        return claims
    }
}
