internal import DolbyVision

extension TrackAnalyzer.Copyable {
    /// The same track, served as a route says.
    package func routed(_ route: DolbyVisionRoute?) -> TrackAnalyzer.Copyable { .init(description: description.routed(route), framing: framing) }
}

extension TrackDescription {
    /// The same track, served as a route says: its sample entry, CODECS and colour follow.
    package func routed(_ route: DolbyVisionRoute?) -> TrackDescription {
        var track = self
        track.dolbyVision = route
        guard let route, let record = route.record, case .video(var picture) = media else { return track }
        if case .primary = route.signalling {
            if route.hasBaseLayer { track.dolbyVision?.baseCodecString = codecString }
            track.codecString = Self.codecString(record, codec: codec)
        }
        // What a record of these says of the base layer, where its own bitstream says nothing: players look at the colour box first.
        // A profile 5 picture has no code points at all; without these it is taken for SDR.
        if picture.transfer == nil || picture.transfer == 14 || picture.transfer == 1, record.compatibilityID == 4 { picture.transfer = 18 }
        if picture.transfer == nil { picture.transfer = 16 }
        if picture.primaries == nil { picture.primaries = 9 }
        if picture.matrix == nil { picture.matrix = 9 }
        track.media = .video(picture)
        return track
    }

    /// RFC 8216bis §4.4.6.2: codecs a client may use in place of those in CODECS, each with its brand.
    package var supplementalCodecs: [String] {
        guard let route = dolbyVision, let record = route.record, case .supplemental(let brand) = route.signalling else { return [] }
        return ["\(Self.codecString(record, codec: codec))/\(brand)"]
    }

    /// CODECS of the picture without Dolby Vision; `nil` where nothing but its decoders can show it.
    package var baseCodecString: String? {
        guard let route = dolbyVision, route.signalling == .primary else { return codecString }
        return route.baseCodecString
    }

    /// The sample entry's four characters.
    package var sampleEntryFormat: String {
        guard dolbyVision?.signalling == .primary else { return codec.rawValue }
        return codec == .av1 ? "dav1" : "dvh1"
    }

    /// Dolby Vision Profiles and Levels: four characters, profile and level in two digits each.
    private static func codecString(_ record: DolbyVisionConfigurationRecord, codec: TrackCodec) -> String {
        func digits(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(codec == .av1 ? "dav1" : "dvh1").\(digits(record.profile)).\(digits(record.level))"
    }
}
