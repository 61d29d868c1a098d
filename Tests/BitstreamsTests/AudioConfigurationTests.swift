import BitsAndTime
import Bitstreams
import ISOBMFF
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct AudioConfigurationTests {
    @Test(arguments: [("-ac 2", 48000, 2), ("-ac 1 -ar 44100", 44100, 1), ("-ac 6 -ar 32000", 32000, 6)])
    func decoderSpecificInfoOfFFmpegIsWhatADTSSays(options: String, rate: Int, channels: Int) throws {
        let pair = try Reference.pair("aac\(rate)", extension: "aac", "\(Reference.sound) -c:a aac \(options)")
        let descriptor = try ElementaryStreamDescriptor(parsing: try pair.box("esds"))
        let config = try AudioSpecificConfig(parsing: descriptor.decoderSpecificInfo)
        #expect(config.audioObjectType == 2 && config.samplingFrequency == rate && config.channelCount == channels && config.frameLength == 1024)
        #expect(CodecString.aac(config) == "mp4a.40.2" && config.serialized() == descriptor.decoderSpecificInfo)
        let header = try ADTSHeader(parsing: pair.stream[...])
        let made = try AudioSpecificConfig(
            audioObjectType: header.audioObjectType, frequencyIndex: header.frequencyIndex, channelConfiguration: header.channelConfiguration)
        #expect(made.bytes == Array(descriptor.decoderSpecificInfo.prefix(2)))
        // Frames end to end fill the stream.
        var at = 0
        var count = 0
        while at < pair.stream.count {
            at += try ADTSHeader(parsing: pair.stream[at...]).frameByteCount
            count += 1
        }
        let sampleCount = try pair.samples().count
        #expect(at == pair.stream.count && count == sampleCount)
        for bytes in Damage.all(of: Array(pair.stream.prefix(9)), mutations: 1000) { _ = try? ADTSHeader(parsing: bytes[...]) }
    }

    @Test func backwardCompatibleSBR() throws {
        // HE-AAC of 24 kHz, stereo: the extension stands behind the core's config.
        let config = try AudioSpecificConfig(parsing: [0x13, 0x10, 0x56, 0xE5, 0x98])
        #expect(config.audioObjectType == 2 && config.samplingFrequency == 24000 && config.channelCount == 2)
        #expect(config.extensionObjectType == 5 && config.extensionSamplingFrequency == 48000)
        #expect(CodecString.aac(config) == "mp4a.40.5")
        // HE-AAC v2 says PS behind that.
        let parametric = try AudioSpecificConfig(parsing: [0x13, 0x08, 0x56, 0xE5, 0x9D, 0x48, 0x80])
        #expect(parametric.extensionObjectType == 29 && parametric.channelConfiguration == 1)
        // sbrPresentFlag 0: said not to be there.
        #expect(try AudioSpecificConfig(parsing: [0x13, 0x10, 0x56, 0xE5, 0x00]).extensionObjectType == nil)
    }

    @Test func explicitSBRAndPS() throws {
        let sbr = try AudioSpecificConfig(parsing: [0x2B, 0x11, 0x88, 0x00])
        #expect(sbr.audioObjectType == 2 && sbr.extensionObjectType == 5 && sbr.samplingFrequency == 24000 && sbr.extensionSamplingFrequency == 48000)
        let ps = try AudioSpecificConfig(parsing: [0xEB, 0x09, 0x88, 0x00])
        #expect(ps.audioObjectType == 2 && ps.extensionObjectType == 29 && CodecString.aac(ps) == "mp4a.40.29")
    }

    @Test func aCutExtensionLeavesTheCore() throws {
        let config = try AudioSpecificConfig(parsing: [0x13, 0x10, 0x56, 0xE5])
        #expect(config.extensionObjectType == nil && config.samplingFrequency == 24000)
        let padded = try AudioSpecificConfig(parsing: [0x13, 0x10, 0x56, 0xE5, 0xF8])
        #expect(padded.extensionObjectType == nil && padded.extensionSamplingFrequency == nil)
    }

    @Test(arguments: [AudioSpecificConfig.ExtensionSignalling.hierarchical, .backwardCompatible], [5, 29])
    func configsOfOurMakingReadBack(signalling: AudioSpecificConfig.ExtensionSignalling, type: Int) throws {
        for (core, output) in [(24000, 48000), (22050, 44100), (18900, 37800)] {
            let config = try AudioSpecificConfig(
                samplingFrequency: core, channelConfiguration: type == 29 ? 1 : 2, extensionObjectType: type, extensionSamplingFrequency: output,
                signalling: signalling)
            #expect(config.audioObjectType == 2 && config.samplingFrequency == core && config.outputSamplingFrequency == output)
            #expect(config.extensionObjectType == type && config.outputChannelCount == 2 && config.channelCount == (type == 29 ? 1 : 2))
            #expect(CodecString.aac(config) == "mp4a.40.\(type)")
            #expect(try AudioSpecificConfig(parsing: config.serialized()) == config)
            for bytes in Damage.all(of: config.bytes) { _ = try? AudioSpecificConfig(parsing: bytes) }
        }
        #expect(throws: ParseError.self) {
            try AudioSpecificConfig(samplingFrequency: 24000, channelConfiguration: 0, extensionObjectType: type, extensionSamplingFrequency: 48000, signalling: signalling)
        }
    }

    @Test func adtsWithoutAChannelConfigurationShowsItsElement() throws {
        let made = Self.programConfig(front: [false, true], side: [], back: [true, true], lfe: 1, comment: Array("7.1".utf8))
        // The element alone, as a raw data block has it: behind its id of three bits instead of sixteen bits of config.
        var source = BitReader(made)
        try source.skipBits(16)
        var block = BitWriter()
        block.writeBits(5, 3)
        let fieldBits = (made.count - 4) * 8 - 16 - Self.paddingBits(pairs: 4, lfe: 1)
        for _ in 0..<fieldBits { block.writeBits(try source.readBits(1), 1) }
        block.alignToByte()
        block.writeBits(3, 8)
        for byte in "7.1".utf8 { block.writeBits(byte, 8) }
        let frame: [UInt8] = [0xFF, 0xF1, 0x58, 0x00, UInt8((block.bytes.count + 7) >> 3), UInt8((block.bytes.count + 7) & 7) << 5 | 0x1F, 0xFC] + block.bytes
        let header = try ADTSHeader(parsing: frame[...])
        #expect(header.channelConfiguration == 0 && header.frameByteCount == frame.count && header.samplingFrequency == 24000)
        let config = try header.audioSpecificConfig(frame: frame[...])
        #expect(config.channelCount == 8 && config.samplingFrequency == 24000 && config.bytes == made)
        for end in 7..<frame.count { _ = try? header.audioSpecificConfig(frame: frame[..<end]) }
        #expect(throws: ParseError.self) { try header.audioSpecificConfig(frame: [0xFF, 0xF1, 0x58, 0, 0, 0, 0xFC, 0x21, 0, 0, 0][...]) }
    }

    /// Bits between the fields of ``programConfig`` and its comment.
    private static func paddingBits(pairs: Int, lfe: Int) -> Int { (8 - (16 + 10 + 21 + 3 + 3 + pairs * 5 + lfe * 4) % 8) % 8 }

    @Test func moreThanOneRawDataBlockIsUnsupported() {
        do throws(ParseError) {
            _ = try ADTSHeader(parsing: [0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x1F, 0xFD][...])
            Issue.record("two raw data blocks were taken for one")
        } catch {
            #expect(error.kind == .unsupported)
        }
    }

    /// From ffmpeg 5.1: AAC LC of 44.1 kHz, stereo.
    @Test func adtsKnownBytes() throws {
        let header = try ADTSHeader(parsing: [0xFF, 0xF1, 0x50, 0x80, 0x2B, 0x3F, 0xFC][...])
        #expect(header.headerByteCount == 7 && header.frameByteCount == 345 && header.samplingFrequency == 44100)
        #expect(try header.audioSpecificConfig(frame: []).bytes == [0x12, 0x10])
        // protection_absent 0: a checksum stands behind the header.
        #expect(try ADTSHeader(parsing: [0xFF, 0xF0, 0x50, 0x80, 0x2B, 0x3F, 0xFC][...]).headerByteCount == 9)
        #expect(throws: ParseError.self) { try ADTSHeader(parsing: [0xFF, 0xF1, 0x7C, 0x80, 0x2B, 0x3F, 0xFC][...]) }
    }

    /// A config whose channels only its program_config_element tells.
    private static func programConfig(front: [Bool], side: [Bool], back: [Bool], lfe: Int, data: Int = 0, coupling: Int = 0, comment: [UInt8] = []) -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(2, 5)
        bits.writeBits(6, 4)
        bits.writeBits(0, 4)
        bits.writeBits(0, 3)
        bits.writeBits(0, 4)
        bits.writeBits(1, 2)
        bits.writeBits(6, 4)
        for (count, width) in [(front.count, 4), (side.count, 4), (back.count, 4), (lfe, 2), (data, 3), (coupling, 4)] { bits.writeBits(count, width) }
        bits.writeFlag(false)
        bits.writeFlag(false)
        bits.writeFlag(true)
        bits.writeBits(2, 3)
        for pair in front + side + back {
            bits.writeFlag(pair)
            bits.writeBits(0, 4)
        }
        for _ in 0..<(lfe + data) { bits.writeBits(0, 4) }
        for _ in 0..<coupling { bits.writeBits(0, 5) }
        bits.alignToByte()
        bits.writeBits(comment.count, 8)
        for byte in comment { bits.writeBits(byte, 8) }
        return bits.bytes
    }

    @Test func programConfigElement() throws {
        let seven = Self.programConfig(front: [false, true], side: [true], back: [true], lfe: 1)
        #expect(try AudioSpecificConfig(parsing: seven).channelCount == 8)
        let quad = Self.programConfig(front: [true], side: [], back: [true], lfe: 0, data: 2, coupling: 3, comment: Array("quad".utf8))
        let config = try AudioSpecificConfig(parsing: quad)
        #expect(config.channelCount == 4 && config.extensionObjectType == nil)
        let extended = try AudioSpecificConfig(parsing: quad + [0x56, 0xE5, 0x98])
        #expect(extended.channelCount == 4 && extended.extensionObjectType == 5 && extended.extensionSamplingFrequency == 48000)
        for bytes in Damage.all(of: quad + [0x56, 0xE5, 0x98], mutations: 2000) { _ = try? AudioSpecificConfig(parsing: bytes) }
    }

    @Test func odditiesOfTheHeader() throws {
        // 960 samples a frame; a frequency written out; a reserved index.
        #expect(try AudioSpecificConfig(parsing: [0x11, 0x94]).frameLength == 960)
        var bits = BitWriter()
        bits.writeBits(2, 5)
        bits.writeBits(15, 4)
        bits.writeBits(37_800, 24)
        bits.writeBits(2, 4)
        bits.writeBits(0, 3)
        #expect(try AudioSpecificConfig(parsing: bits.bytes).samplingFrequency == 37_800)
        #expect(throws: ParseError.self) { try AudioSpecificConfig(parsing: [0x16, 0x90]) }
        // xHE-AAC: the object type in its long spelling; UsacConfig tells the output's frame length and channels.
        let unified = try AudioSpecificConfig(parsing: [0xF9, 0x46, 0x43, 0x22, 0x2C, 0xC0, 0x4C, 0x00, 0x85, 0xA0])
        #expect(unified.audioObjectType == 42 && unified.samplingFrequency == 48000 && unified.channelCount == 2 && unified.frameLength == 1024)
        #expect(throws: ParseError.self) { try AudioSpecificConfig(parsing: [0xF9, 0x46, 0x40]) }
        // AAC ELD's elder, low delay: half a frame, and error protection bits before whatever follows.
        #expect(try AudioSpecificConfig(parsing: [0xB9, 0x90, 0x00]).frameLength == 512)
        #expect(try AudioSpecificConfig(parsing: [0xB9, 0x94, 0x00]).frameLength == 480)
    }

    @Test func flacBoxIsTheOneFFmpegMakes() throws {
        let pair = try Reference.pair("flac", extension: "flac", "\(Reference.sound) -c:a flac -ac 2 -sample_fmt s32 -ar 96000", mp4: "-strict -2")
        let info = try FLACStreamInfo(parsing: pair.stream)
        #expect(try info.specificBox == pair.box("dfLa"))
        #expect(info.sampleRate == 96000 && info.channelCount == 2 && info.bitsPerSample == 24)
        #expect(try FLACStreamInfo(parsing: info.bytes) == info)
        #expect(info.serialized() == Array(info.specificBox.dropFirst(8)) && info.sampleCount == 48_000 && info.maximumFrameSize >= info.minimumFrameSize)
        // PADDING first: no STREAMINFO to be read there.
        #expect(throws: ParseError.self) { try FLACStreamInfo(parsing: Array("fLaC".utf8) + [1, 0, 0, 34] + info.bytes) }
        for bytes in Damage.all(of: Array(pair.stream.prefix(42))) { _ = try? FLACStreamInfo(parsing: bytes) }
    }

    @Test func alacBoxIsTheOneFFmpegMakes() throws {
        let folder = try Reference.folder()
        let file = try folder.makeBlocking("alac.mp4", "\(Reference.sound) -c:a alac -ac 2 -ar 44100")
        guard case .audio(let entry) = try InitializationSegment(parsing: try Reference.bytes(file)).sampleEntry else { throw Reference.Missing() }
        let box = try #require(entry.configurationBoxes.first { $0.type == "alac" }).payload
        let config = try ALACSpecificConfig(parsing: box)
        #expect(config.specificBox == box && config.sampleRate == 44100 && config.channelCount == 2 && config.bitDepth == 16 && config.frameLength == 4096)
        #expect(try ALACSpecificConfig(parsing: config.bytes) == config)
        #expect(try ALACSpecificConfig(parsing: [0, 0, 0, 36] + Array("alac".utf8) + box) == config)
        // A channel layout behind the cookie stays; other bytes do not.
        let layout: [UInt8] = [0, 0, 0, 24] + Array("chan".utf8) + [0, 0, 0, 0, 0, 0x7C, 0, 6] + [UInt8](repeating: 0, count: 8)
        #expect(try ALACSpecificConfig(parsing: config.bytes + layout).specificBox == box + layout)
        #expect(try ALACSpecificConfig(parsing: [0, 0, 0, 60] + Array("alac".utf8) + box + layout).serialized() == config.bytes + layout)
        #expect(try ALACSpecificConfig(parsing: config.bytes + [0, 0, 0, 8, 0, 0, 0, 0]) == config)
        for bytes in Damage.all(of: box) { _ = try? ALACSpecificConfig(parsing: bytes) }
    }
}
