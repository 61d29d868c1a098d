import Bitstreams
import Foundation
import Libav
@testable import Remux
import TestSupport
import Testing

/// What parameter sets say of pictures is what decoding them says.
@Suite struct ProbeKnowledgeTests {
    private static let picture =
        "-f lavfi -i testsrc2=s=320x180:r=24:d=3 -f lavfi -i sine=r=48000:d=3 -c:a ac3"
        + " -vf setsar=4/3,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"
    private static let h264 = " -c:v libx264 -preset ultrafast -threads 1 -bf 3 -g 24"
    private static let h265 = " -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=24:bframes=4"

    /// Everything of a picture that is asked for later on.
    private func facts(_ stream: StreamInfo) -> [String] {
        func say(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "–" }
        return [
            "\(stream.width)×\(stream.height)", say(stream.pixelFormatName), say(stream.bitDepth), say(stream.chromaFormat), say(stream.sampleAspectRatio),
            say(stream.colourPrimaries), say(stream.transferCharacteristics), say(stream.matrixCoefficients), say(stream.colourPrimariesName),
            say(stream.colourTransferName), say(stream.colourMatrixName), say(stream.isFullRange), say(stream.averageFrameRate), "\(stream.videoDelay)",
            "\(stream.fieldOrder)", say(stream.profileName), say(stream.level), "\(stream.timeBaseDenominator)",
        ]
    }

    private struct Read {
        let facts: [String]
        let times: [Int64?]
        let isKnown: Bool
    }

    private func read(_ path: String, decodes: Bool) throws -> Read {
        let interrupter = Interrupter()
        let demuxer = try Demuxer(url: path, interrupter: interrupter)
        let known = decodes ? [:] : ProbeKnowledge.known(of: demuxer.streams, formatName: demuxer.formatName, isLocal: true)
        try demuxer.findStreamInfo(knowing: known)
        let reader = SourceReader(demuxer: demuxer, interrupter: interrupter)
        try reader.readHead(video: 0, others: [1])
        var stream = demuxer.streams[0]
        if known[0] != nil { stream = ProbeKnowledge.completed(stream, head: reader.head[0] ?? []) }
        var times: [Int64?] = []
        while let packet = try reader.next() {
            if packet.streamIndex == 0 { times.append(packet.pts) }
        }
        return Read(facts: facts(stream), times: times, isKnown: known[0] != nil)
    }

    @Test(arguments: [
        ("a.mkv", h264 + " -pix_fmt yuv420p"), ("a.mp4", h264 + " -pix_fmt yuv420p"), ("ten.mkv", h264 + " -pix_fmt yuv420p10le"),
        ("wide.mp4", h264 + " -pix_fmt yuv422p"), ("full.mkv", h264 + " -pix_fmt yuvj420p -color_range pc"), ("still.mkv", h264 + " -pix_fmt yuv420p -bf 0"),
        ("a.ts", h264 + " -pix_fmt yuv420p"), ("ten.ts", h264 + " -pix_fmt yuv422p10le"), ("field.ts", h264 + " -pix_fmt yuv420p -flags +ildct+ilme -x264opts tff=1"),
        ("hevc.ts", h265 + " -pix_fmt yuv420p"), ("hdr.ts", h265 + " -pix_fmt yuv420p10le"),
    ])
    func parameterSetsSayWhatDecodingSays(name: String, arguments: String) async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make(name, Self.picture + arguments)
        let (decoded, known) = (try read(file.path, decodes: true), try read(file.path, decodes: false))
        #expect(known.isKnown)
        #expect(known.facts == decoded.facts)
        #expect(known.times == decoded.times && known.times.count == 72)
    }

    @Test func whatOnlyPicturesTellIsLeftToDecoding() async throws {
        let fixture = try FFmpegFixture()
        let stated = try Demuxer(url: try await fixture.make("a.mkv", Self.picture + Self.h264 + " -pix_fmt yuv420p").path).streams[0]
        func isKnown(_ change: (inout StreamInfo) -> Void) -> Bool {
            var stream = stated
            change(&stream)
            return ProbeKnowledge.known(of: [stream], formatName: "matroska,webm", isLocal: true)[0] != nil
        }
        #expect(isKnown { _ in })
        #expect(!isKnown { $0.averageFrameRate = nil })
        #expect(!isKnown { $0.extradata = [] })
        #expect(!isKnown { $0.dispositions.insert(.attachedPicture) })
        var record = try AVCDecoderConfigurationRecord(parsing: stated.extradata)
        record.sequenceParameterSets.append(record.sequenceParameterSets[0])
        #expect(!isKnown { $0.extradata = record.serialized() })
        // Baseline, 320 × 240, without a VUI: how far pictures are reordered is not said.
        record.sequenceParameterSets = [[0x67, 0x42, 0xC0, 0x0D, 0xDA, 0x05, 0x07, 0xC8]]
        #expect(!isKnown { $0.extradata = record.serialized() })
        for count in 0..<stated.extradata.count {
            let cut = Array(stated.extradata[..<count])
            _ = isKnown { $0.extradata = cut }
        }
    }

    @Test func onlyALocalTransportStreamIsReadFurtherInsteadOfDecoded() async throws {
        let fixture = try FFmpegFixture()
        let demuxer = try Demuxer(url: try await fixture.make("a.ts", Self.picture + Self.h264).path)
        #expect(ProbeKnowledge.known(of: demuxer.streams, formatName: demuxer.formatName, isLocal: true) == [0: KnownPictures()])
        #expect(ProbeKnowledge.known(of: demuxer.streams, formatName: demuxer.formatName, isLocal: false).isEmpty)
    }
}
