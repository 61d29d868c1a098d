internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// An audio sample entry: its configuration, and the channels and rate that both state.
enum AudioEntryCheck {
    static func check(_ entry: AudioSampleEntry, at place: Place, track: inout InitializationFacts.Track, into findings: inout Findings) throws(ParseError) {
        func configuration(_ type: FourCharacterCode) -> [UInt8]? {
            let found = entry.configurationBoxes.first { $0.type == type }?.payload
            if found == nil { findings.add(.configuration, place, "no \(type)") }
            return found
        }
        var rate: Int?
        switch entry.format {
        case "mp4a":
            guard let bytes = configuration("esds") else { return }
            let descriptor = try ElementaryStreamDescriptor(parsing: bytes)
            guard descriptor.objectTypeIndication == 0x40 else {
                let text = String(descriptor.objectTypeIndication, radix: 16, uppercase: true)
                track.codec = "mp4a.\(text.count < 2 ? "0" : "")\(text)"
                return
            }
            let config = try AudioSpecificConfig(parsing: descriptor.decoderSpecificInfo)
            track.codec = CodecString.aac(config)
            track.channels = config.outputChannelCount > 0 ? config.outputChannelCount : nil
            rate = config.samplingFrequency
            if entry.sampleRate != 0, Int(entry.sampleRate) == config.outputSamplingFrequency { rate = config.outputSamplingFrequency }
        case "ac-3":
            guard let bytes = configuration("dac3") else { return }
            let box = try AC3SpecificBox(parsing: bytes)
            track.codec = CodecString.ac3
            track.channels = channels(acmod: box.acmod, hasLFE: box.hasLFE)
            rate = sampleRate(fscod: box.fscod)
        case "ec-3":
            guard let bytes = configuration("dec3") else { return }
            let box = try EC3SpecificBox(parsing: bytes)
            track.codec = CodecString.eac3
            track.channels = box.jocComplexityIndex == nil ? box.substreams.first?.channelCount : nil
            rate = box.substreams.first.flatMap { sampleRate(fscod: $0.fscod) }
        case "fLaC":
            guard let bytes = configuration("dfLa") else { return }
            // FullBox, then one metadata block after its header of four bytes.
            guard bytes.count >= 42, bytes[4] & 0x7F == 0 else {
                findings.add(.configuration, place, "dfLa does not begin with STREAMINFO")
                return
            }
            let info = try FLACStreamInfo(parsing: Array(bytes[8..<42]))
            track.codec = CodecString.flac
            track.channels = info.channelCount
            rate = info.sampleRate > 0xFFFF ? nil : info.sampleRate
        case "alac":
            guard let bytes = configuration("alac") else { return }
            guard bytes.count >= 28 else {
                findings.add(.configuration, place, "the alac box has \(bytes.count) bytes")
                return
            }
            let config = try ALACSpecificConfig(parsing: Array(bytes[4...]))
            track.codec = CodecString.alac
            track.channels = config.channelCount
            rate = config.sampleRate > 0xFFFF ? nil : config.sampleRate
        case "Opus":
            guard let bytes = configuration("dOps") else { return }
            guard bytes.count >= 11, bytes[0] == 0 else {
                findings.add(.configuration, place, "dOps has \(bytes.count) bytes and version \(bytes.first ?? 0)")
                return
            }
            track.codec = "Opus"
            track.channels = Int(bytes[1])
            rate = 48000
        default: return
        }
        if let rate, entry.sampleRate != 0, Int(entry.sampleRate) != rate {
            findings.add(.sampleRate, place, "the sample entry says \(entry.sampleRate) Hz, the configuration \(rate)")
        }
    }

    /// ETSI TS 102 366 Table 4.3, and the low-frequency channel.
    static func channels(acmod: UInt8, hasLFE: Bool) -> Int { [2, 1, 2, 3, 3, 4, 4, 5][Int(acmod & 7)] + (hasLFE ? 1 : 0) }

    private static func sampleRate(fscod: UInt8) -> Int? { fscod < 3 ? [48000, 44100, 32000][Int(fscod)] : nil }
}

extension Rule {
    static let sampleRate = Rule("init.sample-rate", .should, "ISO/IEC 14496-12 §12.2.3", fix: "State the rate of the configuration.")
}
