internal import BitsAndTime
internal import Bitstreams
internal import Libav

/// The parameter sets a track's first key frames carry, against those its record has.
enum InBandParameterSets {
    /// Key frames looked through where the first does not show every set.
    private static let keyLimit = 4

    /// An empty record would promise a decoder configuration that is not there: such a track is refused.
    static func missing(in record: String) -> ParseError {
        ParseError(.malformed, at: 0, in: record, "neither the record nor a key frame near the start has every parameter set a picture needs")
    }

    /// The sets to make a record of, where the container's cannot stand: it lacks some, cannot be read, or describes other pictures than the
    /// first one to decode. `nil` where it can, and where nothing better was found.
    ///
    /// - Parameter told: The record's; `nil` for none.
    static func replacing(
        _ told: ParameterSets?, codec: RandomAccess.Codec, extradata: [UInt8], keys: [Packet], framing: SampleFraming
    ) -> ParameterSets? {
        var shown = ParameterSets(codec: codec)
        for (number, key) in keys.prefix(keyLimit).enumerated() {
            let isAgreed = key.withUnsafeBytes { sample -> Bool in
                let found = framing.nalUnitFraming(of: sample, codec: codec)
                var new = ParameterSets(codec: codec)
                new.insert(from: sample, framing: found)
                shown.fill(from: new)
                guard number == 0, let told, told.isComplete, let promised = told.signature(ofPictureIn: sample, framing: found) else { return false }
                new.fill(from: told)
                return new.signature(ofPictureIn: sample, framing: found) == promised
            }
            if isAgreed { return nil }
            if shown.isComplete { break }
        }
        if let told {
            shown.fill(from: told)
        } else {
            var outside = ParameterSets(codec: codec)
            extradata.withUnsafeBytes { _ = outside.insert(from: $0, framing: .annexB) }
            shown.fill(from: outside)
        }
        return shown.isComplete && shown != told ? shown : nil
    }
}

extension MasteringDisplayColourVolume {
    /// As a container says it.
    init(_ display: Libav.MasteringDisplay) {
        func point(_ from: Libav.MasteringDisplay.Chromaticity) -> Chromaticity { Chromaticity(x: from.x, y: from.y) }
        self.init(
            red: point(display.red), green: point(display.green), blue: point(display.blue), whitePoint: point(display.whitePoint),
            maximumLuminance: display.maximumLuminance, minimumLuminance: display.minimumLuminance)
    }
}
