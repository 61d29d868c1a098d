internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// A sample entry and its decoder configuration: that it can be read, and that its parts agree (ISO/IEC 14496-12 §12, 14496-15, codec mappings).
enum SampleEntryCheck {
    static func check(_ entry: Box, handler: FourCharacterCode, resource: String, track: inout InitializationFacts.Track, into findings: inout Findings) {
        let place = Place(resource, box: "moov/trak/mdia/minf/stbl/stsd/\(entry.type)")
        track.format = "\(entry.type)"
        let expected: FourCharacterCode?
        switch entry.type {
        case "avc1", "avc3", "hvc1", "hev1", "av01", "dvh1", "dvhe", "dav1", "dva1", "dvav", "vp09", "encv", "mjpg", "jpeg": expected = "vide"
        case "mp4a", "ac-3", "ec-3", "fLaC", "alac", "Opus", "enca": expected = "soun"
        default: expected = nil
        }
        if let expected, expected != handler { findings.add(.handler, place, "\(entry.type) under a handler \(handler)") }
        do throws(ParseError) {
            switch handler {
            case "vide":
                let visual = try VisualSampleEntry(parsing: entry)
                track.visual = visual
                try check(visual, at: place, track: &track, into: &findings)
            case "soun":
                let audio = try AudioSampleEntry(parsing: entry)
                track.audio = audio
                try AudioEntryCheck.check(audio, at: place, track: &track, into: &findings)
            default: track.codec = ["wvtt", "stpp"].contains(track.format) ? track.format : nil
            }
        } catch {
            findings.add(.configuration, place, error.description)
        }
    }

    private static func check(
        _ entry: VisualSampleEntry, at place: Place, track: inout InitializationFacts.Track, into findings: inout Findings
    ) throws(ParseError) {
        func configuration(_ type: FourCharacterCode) -> [UInt8]? {
            let found = entry.configurationBoxes.first { $0.type == type }?.payload
            if found == nil { findings.add(.configuration, place, "no \(type)") }
            return found
        }
        track.transfer = entry.colour.map { Int($0.transfer) }
        var usability: VideoUsabilityInformation?
        switch entry.format {
        case "avc1", "avc3":
            guard let bytes = configuration("avcC") else { return }
            let record = try AVCDecoderConfigurationRecord(parsing: bytes)
            track.codec = CodecString.avc(record).replacingPrefix(4, with: track.format)
            track.pictures = (.avc, .lengthPrefixed(lengthSize: record.lengthSize))
            if entry.format == "avc3" {
                findings.add(.inBand, place, "avc3 keeps parameter sets among the samples")
            } else if record.sequenceParameterSets.isEmpty || record.pictureParameterSets.isEmpty {
                findings.add(.parameterSets, place, "avc1 without \(record.sequenceParameterSets.isEmpty ? "SPS" : "PPS") in avcC")
            }
            guard let parameters = record.firstSequenceParameterSet else { break }
            if parameters.profileIDC != record.profileIndication || parameters.levelIDC > record.levelIndication {
                findings.add(
                    .profile, place,
                    "avcC says profile \(record.profileIndication) level \(record.levelIndication), the SPS \(parameters.profileIDC) and \(parameters.levelIDC)")
            }
            track.codedSize = (parameters.width, parameters.height)
            usability = parameters.usability
        case "hvc1", "hev1", "dvh1", "dvhe":
            guard let bytes = configuration("hvcC") else { return }
            let record = try HEVCDecoderConfigurationRecord(parsing: bytes)
            track.codec = entry.format == "hvc1" || entry.format == "hev1" ? CodecString.hevc(record, sampleEntry: track.format) : track.format
            track.pictures = (.hevc, .lengthPrefixed(lengthSize: record.lengthSize))
            if entry.format == "hev1" || entry.format == "dvhe" {
                findings.add(.inBand, place, "\(entry.format) lets parameter sets stand among the samples")
            } else if !record.hasParameterSets {
                findings.add(.parameterSets, place, "\(entry.format) without VPS, SPS and PPS in hvcC")
            }
            guard let parameters = record.firstSequenceParameterSet else { break }
            if parameters.profileTierLevel.profileIDC != record.profileTierLevel.profileIDC || parameters.profileTierLevel.levelIDC > record.profileTierLevel.levelIDC {
                findings.add(
                    .profile, place,
                    "hvcC says profile \(record.profileTierLevel.profileIDC) level \(record.profileTierLevel.levelIDC), the SPS "
                        + "\(parameters.profileTierLevel.profileIDC) and \(parameters.profileTierLevel.levelIDC)")
            }
            track.codedSize = (parameters.width, parameters.height)
            usability = parameters.usability
        case "av01":
            guard let bytes = configuration("av1C") else { return }
            let record = try AV1CodecConfigurationRecord(parsing: bytes)
            track.codec = CodecString.av1(record)
            track.pictures = (.av1, .lengthPrefixed(lengthSize: 4))
            guard let header = record.sequenceHeader else { break }
            track.codedSize = (header.width, header.height)
            if header.transfer != 2 {
                check(transfer: Int(header.transfer), against: entry.colour, at: place, into: &findings)
                track.transfer = Int(header.transfer)
            }
        case "vp09":
            guard let bytes = configuration("vpcC") else { return }
            let record = try VP9CodecConfigurationRecord(parsing: bytes)
            track.codec = CodecString.vp9(record)
            track.pictures = (.vp9, .lengthPrefixed(lengthSize: 4))
            if record.transfer != 2 {
                check(transfer: Int(record.transfer), against: entry.colour, at: place, into: &findings)
                track.transfer = Int(record.transfer)
            }
        default: break
        }
        if let transfer = usability?.transfer, transfer != 2 {
            // HLG on top of a curve older displays know: an SEI message of the pictures says so (alternative_transfer_characteristics,
            // ITU-T H.265 §D.3.37), and the init segment holds none.
            let isHLGOnTop = entry.colour?.transfer == 18 && [1, 6, 14, 15].contains(transfer)
            if !isHLGOnTop { check(transfer: transfer, against: entry.colour, at: place, into: &findings) }
            track.transfer = isHLGOnTop ? 18 : transfer
        }
        checkSize(entry, at: place, track: track, into: &findings)
    }

    private static func check(transfer: Int, against colour: ColourInformation?, at place: Place, into findings: inout Findings) {
        guard let colour, colour.transfer != 2, Int(colour.transfer) != transfer else { return }
        findings.add(.colour, place, "colr says transfer \(colour.transfer), the parameter sets \(transfer)")
    }

    private static func checkSize(_ entry: VisualSampleEntry, at place: Place, track: InitializationFacts.Track, into findings: inout Findings) {
        guard let size = track.codedSize else { return }
        if (Int(entry.width), Int(entry.height)) != size {
            findings.add(.size, place, "the sample entry is \(entry.width)x\(entry.height), the parameter sets say \(size.width)x\(size.height)")
        }
        guard track.displayHeight > 0 else { return }
        // tkhd has square pixels: by pasp either the width or the height is stretched.
        let (h, v) = entry.pixelAspectRatio.map { (Int($0.horizontal), Int($0.vertical)) } ?? (1, 1)
        guard h > 0, v > 0 else { return }
        let shape = Double(size.width) * Double(h) / (Double(size.height) * Double(v))
        // A pixel up or down is rounding.
        let (narrow, wide) = (Double(track.displayWidth - 1) / Double(track.displayHeight), Double(track.displayWidth + 1) / Double(track.displayHeight))
        if shape < narrow * 0.98 || shape > wide * 1.02 {
            findings.add(
                .size, Place(place.resource, box: "moov/trak/tkhd"),
                "tkhd is \(track.displayWidth)x\(track.displayHeight), the pictures are \(size.width)x\(size.height) at \(h):\(v)")
        }
    }
}

extension String {
    /// The same with its first characters replaced.
    func replacingPrefix(_ count: Int, with text: String) -> String { text + dropFirst(count) }
}

extension Rule {
    static let sampleEntry = Rule("init.sample-entry", .must, "ISO/IEC 14496-12 §8.5.2", fix: "Describe the samples in stsd.")
    static let handler = Rule("init.handler", .must, "ISO/IEC 14496-12 §8.4.3, §8.5.2", fix: "Use vide with video entries and soun with audio ones.")
    static let configuration = Rule(
        "init.configuration", .must, "ISO/IEC 14496-12 §12, 14496-15, and the codec's mapping", fix: "Write the decoder configuration as the codec's mapping says.")
    static let inBand = Rule("init.in-band", .should, "Apple HLS Authoring 1.10", fix: "Use avc1, hvc1 or dvh1 with parameter sets in the init segment.")
    static let parameterSets = Rule("init.parameter-sets", .must, "ISO/IEC 14496-15 §5.3.3, §8.4.1.1", fix: "Put all parameter sets into the configuration record.")
    static let profile = Rule("init.profile", .must, "ISO/IEC 14496-15 §5.3.3.1.2, §8.3.3.1.2", fix: "Take profile and level of the record from the parameter sets.")
    static let colour = Rule("init.colour", .should, "ISO/IEC 14496-12 §12.1.5", fix: "Say the same in colr as in the bitstream.")
    static let size = Rule(
        "init.size", .should, "ISO/IEC 14496-12 §8.3.2, §12.1.3", fix: "Take the size from the parameter sets, and tkhd's from it by the pixel's shape.")
}
