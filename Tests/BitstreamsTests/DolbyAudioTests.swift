import BitsAndTime
import Bitstreams
import Foundation
import ISOBMFF
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct DolbyAudioTests {
    @Test(arguments: ["-ac 2 -b:a 192k", "-ac 1 -b:a 96k -ar 44100", "-ac 6 -b:a 448k", "-ac 2 -b:a 128k -ar 32000 -room_type large -mixing_level 90"])
    func dac3IsTheOneFFmpegMakes(options: String) throws {
        let pair = try Reference.pair("ac3-\(options.utf8.count)", extension: "ac3", "\(Reference.sound) -c:a ac3 \(options)")
        let frame = try AC3Syncframe(parsing: pair.stream[...])
        let box = try pair.box("dac3")
        #expect(frame.ac3SpecificBox == box)
        #expect(try AC3SpecificBox(parsing: box) == AC3SpecificBox(frame))
        let rate = try #require(Int(options.split(separator: "-b:a ")[1].prefix { $0 != "k" }))
        #expect(frame.bitRate == rate * 1000)
        #expect(!frame.isEnhanced && frame.sampleCount == 1536)
        let samples = try pair.samples()
        #expect(try samples.allSatisfy { try AC3Syncframe(parsing: $0.bytes[...]).frameByteCount == $0.byteCount })
        for bytes in Damage.all(of: Array(pair.stream.prefix(64)), mutations: 3000) { _ = try? AC3Syncframe(parsing: bytes[...]) }
    }

    @Test(arguments: ["-ac 2 -b:a 192k", "-ac 1 -b:a 96k", "-ac 6 -b:a 448k", "-ac 2 -b:a 100k -ar 44100"])
    func dec3IsTheOneFFmpegMakes(options: String) throws {
        let pair = try Reference.pair("eac3-\(options.utf8.count)\(options.dropFirst(4).prefix(1))", extension: "eac3", "\(Reference.sound) -c:a eac3 \(options)")
        let first = try #require(try pair.samples().first).bytes
        let unit = try EAC3AccessUnit(parsing: first)
        #expect(unit.byteCount == first.count && unit.sampleCount == 1536)
        let box = try pair.box("dec3")
        #expect(unit.specificBox == box)
        let parsed = try EC3SpecificBox(parsing: box)
        #expect(parsed.serialized() == box && parsed == EC3SpecificBox(unit) && parsed.substreams.map(\.channelCount) == [unit.channelCount])
        for bytes in Damage.all(of: box) {
            if let box = try? EC3SpecificBox(parsing: bytes) {
                _ = (box.jocComplexityIndex, box.substreams.map(\.channelCount))
                #expect((try? EC3SpecificBox(parsing: box.serialized())) == box)
            }
        }
        for bytes in Damage.all(of: Array(first.prefix(64)), mutations: 3000) {
            if let unit = try? EAC3AccessUnit(parsing: bytes) {
                _ = (unit.specificBox, unit.channelCount, unit.sampleCount, unit.jocComplexityIndex)
            }
        }
    }

    /// Heads of frames, and what ffmpeg 5.1 says of them in MP4: 5.1 at 448 kbit/s.
    @Test func knownBytes() throws {
        let basic: [UInt8] = [0x0B, 0x77, 0xB5, 0x0B, 0x1E, 0x40, 0xEB, 0xF8, 0x40, 0x3E, 0xFF, 0x99]
        let frame = try AC3Syncframe(parsing: basic[...])
        #expect(frame.ac3SpecificBox == [0x10, 0x3D, 0xE0] && frame.frameByteCount == 1792 && frame.channelCount == 6 && frame.bitRate == 448_000)
        let enhanced: [UInt8] = [0x0B, 0x77, 0x03, 0x7F, 0x3F, 0x87, 0xC0, 0x00, 0x20, 0xF8, 0x20, 0x00, 0x02, 0x00, 0x40, 0x04]
        let unit = try EAC3AccessUnit(parsing: enhanced)
        #expect(unit.specificBox == [0x0E, 0x00, 0x20, 0x0F, 0x00] && unit.bitRate == 448_000 && unit.sampleRate == 48_000 && unit.channelCount == 6)
        #expect(unit.programs[0].independent.frameByteCount == 1792)
    }

    /// A syncframe of zeros behind the header that `fields` writes.
    private static func frame(byteCount: Int, streamType: Int, acmod: Int, lfe: Bool, numblkscod: Int = 3, _ fields: (inout BitWriter) -> Void) -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(0x0B77, 16)
        bits.writeBits(streamType, 2)
        bits.writeBits(0, 3)
        bits.writeBits(byteCount / 2 - 1, 11)
        bits.writeBits(0, 2)
        bits.writeBits(numblkscod, 2)
        bits.writeBits(acmod, 3)
        bits.writeFlag(lfe)
        bits.writeBits(16, 5)
        bits.writeBits(31, 5)
        bits.writeFlag(false)
        fields(&bits)
        return bits.bytes + [UInt8](repeating: 0, count: byteCount - bits.bytes.count)
    }

    private static func core(byteCount: Int = 1280, numblkscod: Int = 3) -> [UInt8] {
        frame(byteCount: byteCount, streamType: 0, acmod: 7, lfe: true, numblkscod: numblkscod) { bits in
            bits.writeFlag(false)  // mixmdate
            bits.writeFlag(false)  // infomdate
            if numblkscod != 3 { bits.writeFlag(false) }  // convsync
            bits.writeFlag(false)  // addbsie
        }
    }

    /// Dependent substream with `chanmap`, and object audio of `complexity` where given.
    private static func dependent(chanmap: UInt16, complexity: Int? = nil) -> [UInt8] {
        frame(byteCount: 768, streamType: 1, acmod: 4, lfe: false) { bits in
            bits.writeFlag(true)
            bits.writeBits(chanmap, 16)
            bits.writeFlag(false)
            bits.writeFlag(false)
            bits.writeFlag(complexity != nil)
            if let complexity {
                bits.writeBits(1, 6)  // addbsil: two bytes
                bits.writeBits(1, 8)
                bits.writeBits(complexity, 8)
            }
        }
    }

    /// ETSI TS 102 366 Table F.6.1 counts chan_loc's bits from the least significant: Lrs/Rrs is bit 1, LFE2 bit 8.
    @Test(arguments: [(UInt16(0x0200), UInt8(0x02), UInt8(0), 8), (0x0010, 0x40, 0, 8), (0x0002, 0, 1, 7), (0x0400, 0x01, 0, 8), (0x0100, 0x04, 0, 7)])
    func channelLocationsOfADependentSubstream(chanmap: UInt16, low: UInt8, high: UInt8, channels: Int) throws {
        let unit = try EAC3AccessUnit(parsing: Self.core() + Self.dependent(chanmap: chanmap))
        // 2048 bytes in 32 ms: 512 kbit/s.
        #expect(unit.specificBox == [0x10, 0x00, 0x20, 0x0F, 0x02 | high, low])
        #expect(unit.channelCount == channels && unit.byteCount == 2048)
        let box = try EC3SpecificBox(parsing: unit.specificBox)
        #expect(box.dataRate == 512 && box.substreams.map(\.channelCount) == [channels] && box.jocComplexityIndex == nil)
    }

    @Test func channelsTheCoreHasAreReplacedNotAdded() throws {
        // Blu-ray 7.1: Ls, Rs and Lrs/Rrs in the dependent substream.
        let unit = try EAC3AccessUnit(parsing: Self.core() + Self.dependent(chanmap: 0x1A00))
        #expect(unit.channelCount == 8 && unit.specificBox.last == 0x02)
    }

    @Test func objectAudioIsFoundInADependentSubstream() throws {
        let unit = try EAC3AccessUnit(parsing: Self.core() + Self.dependent(chanmap: 0x0200, complexity: 16))
        #expect(unit.jocComplexityIndex == 16)
        #expect(try EC3SpecificBox(parsing: unit.specificBox).jocComplexityIndex == 16)
        #expect(unit.specificBox == [0x10, 0x00, 0x20, 0x0F, 0x02, 0x02, 0x01, 0x10])
    }

    @Test func shortSyncframesMakeOneAccessUnit() throws {
        // Three frames of two blocks: 3 × 512 samples; 24 kbit each in 10.67 ms make 320 bytes 240 kbit/s.
        let frame = Self.core(byteCount: 320, numblkscod: 1)
        let unit = try EAC3AccessUnit(parsing: frame + frame + frame + frame)
        #expect(unit.sampleCount == 1536 && unit.programs.count == 1 && unit.byteCount == 960)
        #expect(unit.specificBox == [0x07, 0x80, 0x20, 0x0F, 0x00])
        let dependent = Self.dependent(chanmap: 0x0200)
        let two = try EAC3AccessUnit(parsing: Self.core() + dependent + Self.core() + dependent)
        #expect(two.programs[0].dependents.count == 1 && two.sampleCount == 1536 && two.byteCount == 2048)
    }

    @Test func aDependentSubstreamAloneIsRefused() {
        #expect(throws: ParseError.self) { try EAC3AccessUnit(parsing: Self.dependent(chanmap: 0x0200)) }
        #expect(throws: ParseError.self) { try EAC3AccessUnit(parsing: []) }
    }

    /// B15: every field that stands before addbsi in an independent and in a dependent substream, present and absent. One bit too many
    /// or too few does not fail; it returns another number.
    @Test(arguments: 0..<512) func objectAudioIsFoundBehindAnyMetadata(choice: Int) throws {
        func has(_ bit: Int) -> Bool { choice >> bit & 1 == 1 }
        let acmod = [0, 1, 2, 3, 4, 5, 6, 7][choice % 8]
        let (isDependent, lfe) = (has(3), has(4))
        let blocks = [3, 2, 1, 0][choice >> 5 & 3]
        let mixdef = choice >> 7 & 3
        func body(_ bits: inout BitWriter) {
            if acmod == 0 { bits.writeBits(31, 5); bits.writeFlag(true); bits.writeBits(0x5A, 8) }
            if isDependent { bits.writeFlag(has(6)); if has(6) { bits.writeBits(0x0200, 16) } }
            bits.writeFlag(true)  // mixmdate
            if acmod > 2 { bits.writeBits(1, 2) }
            if acmod & 1 != 0, acmod > 2 { bits.writeBits(0x2A, 6) }
            if acmod & 4 != 0 { bits.writeBits(0x15, 6) }
            if lfe { bits.writeFlag(true); bits.writeBits(10, 5) }
            if !isDependent {
                for _ in 0..<(acmod == 0 ? 2 : 1) { bits.writeFlag(true); bits.writeBits(33, 6) }
                bits.writeFlag(true)
                bits.writeBits(12, 6)
                bits.writeBits(mixdef, 2)
                switch mixdef {
                case 1: bits.writeBits(0x15, 5)
                case 2: bits.writeBits(0xAAA, 12)
                case 3: bits.writeBits(1, 5); bits.writeBits(0xA5_A5A5, 24)
                default: break
                }
                if acmod < 2 { for _ in 0..<(acmod == 0 ? 2 : 1) { bits.writeFlag(true); bits.writeBits(0x1FFF, 14) } }
                bits.writeFlag(true)
                if blocks == 0 { bits.writeBits(9, 5) } else {
                    for block in 0..<[1, 2, 3, 6][blocks] { bits.writeFlag(block % 2 == 0); if block % 2 == 0 { bits.writeBits(17, 5) } }
                }
            }
            bits.writeFlag(true)  // infomdate
            bits.writeBits(3, 3)
            bits.writeBits(0b10, 2)
            if acmod == 2 { bits.writeBits(0b1001, 4) }
            if acmod >= 6 { bits.writeBits(0b10, 2) }
            for _ in 0..<(acmod == 0 ? 2 : 1) { bits.writeFlag(true); bits.writeBits(0x99, 8) }
            bits.writeFlag(true)
            if !isDependent, blocks != 3 { bits.writeFlag(true) }
            bits.writeFlag(true)
            bits.writeBits(1, 6)
            bits.writeBits(1, 8)
            bits.writeBits(11, 8)
        }
        let bytes = Self.frame(byteCount: 256, streamType: isDependent ? 1 : 0, acmod: acmod, lfe: lfe, numblkscod: blocks, body)
        let frame = try AC3Syncframe(parsing: bytes[...])
        #expect(frame.jocComplexityIndex == 11 && frame.bsmod == 3)
        #expect(frame.channelMap == (isDependent && has(6) ? 0x0200 : nil))
    }

    @Test func aDependentSubstreamWithoutAMapAddsWhatItsModeSays() throws {
        let stereo = Self.frame(byteCount: 256, streamType: 0, acmod: 2, lfe: false) { $0.writeBits(0, 3) }
        let full = Self.frame(byteCount: 256, streamType: 1, acmod: 7, lfe: true) { $0.writeBits(0, 4) }
        #expect(try EAC3AccessUnit(parsing: stereo + full).channelCount == 6)
    }

    nonisolated private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    @Test(.enabled(if: media != nil), arguments: [
        "audio/exo/mp4/sample_eac3joc.mp4", "audio/exo/mp4/sample_eac3_fragmented.mp4", "audio/dlb_mp4base/7ch_ddp_25fps_acmod_19.mp4",
        "atmos/sample_eac3joc.mp4", "atmos/sample_eac3joc_fragmented.mp4", "atmos/sample_eac3.mp4",
    ])
    func dec3OfRealFiles(name: String) throws {
        let path = "\(try #require(Self.media))/\(name)"
        let file = try Reference.bytes(URL(fileURLWithPath: path))
        let demuxer = try Demuxer(url: path)
        try demuxer.findStreamInfo()
        let index = try #require(demuxer.streams.first { $0.codecName == "eac3" }).index
        var packet = try #require(try demuxer.readPacket())
        while packet.streamIndex != index { packet = try #require(try demuxer.readPacket()) }
        let unit = try EAC3AccessUnit(parsing: packet.bytes)
        #expect(unit.byteCount == packet.byteCount)
        let at = try #require(file.indices.dropFirst(4).dropLast(16).first { Array(file[$0..<($0 + 4)]) == Array("dec3".utf8) })
        let size = file[(at - 4)..<at].reduce(0) { $0 << 8 | Int($1) }
        var expected = Array(file[(at + 4)..<(at - 4 + size)])
        if name.contains("acmod_19") {
            // This one file has chan_loc with its first bit uppermost: 0x004 for the Lvh/Rvh its chanmap tells. Dolby's own muxer, and
            // every reader looked at, counts from the lowest bit: 0x040.
            #expect(expected.suffix(2) == [0x02, 0x04] && unit.programs[0].dependents[0].channelMap == 0xA010)
            expected.replaceSubrange((expected.count - 1)..., with: [0x40])
        }
        // EXPECTED.tsv, bits that others read: rates, substreams and the extension.
        let facts = try EC3SpecificBox(parsing: expected)
        if name.contains("eac3joc") {
            #expect(facts.dataRate == 640 && facts.substreams.count == 1 && facts.substreams[0].dependentCount == 0 && facts.jocComplexityIndex == 16)
            #expect(unit.jocComplexityIndex == 16 && unit.byteCount == 2560 && unit.sampleCount * 1_000_000 / unit.sampleRate == 32_000 && unit.channelCount == 6)
        } else {
            #expect(facts.jocComplexityIndex == nil && unit.jocComplexityIndex == nil)
        }
        if name.contains("acmod_19") {
            #expect(facts.dataRate == 576 && facts.substreams.count == 1 && facts.substreams[0].dependentCount == 1)
        }
        var made = unit.specificBox
        if unit.sampleCount == 256 {
            // Syncframes of one block that their muxer took for six, in the rate as in the times: 6000 kbit/s told as 1000.
            #expect(made.prefix(2) == [0xBB, 0x80] && expected.prefix(2) == [0x1F, 0x40])
            made.replaceSubrange(..<2, with: expected.prefix(2))
        }
        #expect(made == expected)
    }
}
