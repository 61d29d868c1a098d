import BitsAndTime
import Bitstreams
@testable import Captions
import Foundation
import Libav
import Testing
import TestSupport
import TimedText

/// Captions put into an encoder's pictures: they travel in decode order and come out as they are shown.
@Suite struct EmbeddedCaptionTests {
    private struct Sample {
        var shown: MediaTime
        var decoded: MediaTime
        var bytes: [UInt8]
    }

    /// Each picture with a message of the pair that its place in the order of presentation has in the script.
    private func embed(_ triplets: [CaptionTriplet], in url: URL, codec: RandomAccess.Codec) throws -> [Sample] {
        let demuxer = try Demuxer(url: url.path)
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first)
        var samples: [Sample] = []
        while let packet = try demuxer.readPacket() {
            let base = stream.timeBaseDenominator
            let pts = try #require(packet.pts)
            samples.append(Sample(shown: MediaTime(ticks: pts, timescale: base), decoded: MediaTime(ticks: packet.dts ?? pts, timescale: base), bytes: packet.bytes))
        }
        let order = samples.map(\.shown).sorted()
        for i in samples.indices {
            let place = try #require(order.firstIndex(of: samples[i].shown))
            var writer = ByteWriter()
            writer.write(contentsOf: [0xB5, 0x00, 0x31] + Array("GA94".utf8) + [0x03])
            CaptionData(triplets: place < triplets.count ? [triplets[place]] : []).serialize(to: &writer)
            let unit = SEIMessage.unit(header: codec == .avc ? [0x06] : [0x4E, 0x01], messages: [SEIMessage(payloadType: 4, payload: writer.bytes)])
            samples[i].bytes = NALUnitSequence.lengthPrefixed([unit[...]]) + samples[i].bytes
        }
        return samples
    }

    @Test(arguments: [("libx264", RandomAccess.Codec.avc, "-bf 3 -x264-params b-pyramid=normal:b-adapt=0"), ("libx265", .hevc, "-x265-params log-level=none:bframes=4:b-adapt=0")])
    func picturesThatAreShownInAnotherOrder(encoder: String, codec: RandomAccess.Codec, options: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mp4", "-f lavfi -i testsrc2=s=64x48:r=30:d=4 -c:v \(encoder) \(options) -pix_fmt yuv420p")
        let script = Line21.popOn("IN THE ORDER THEY ARE SHOWN") + Line21.command(.endOfCaption) + Line21.popOn("TWO") + Line21.command(.endOfCaption)
        let samples = try embed(script, in: url, codec: codec)
        #expect(samples.map(\.shown) != samples.map(\.shown).sorted())
        for negative in [false, true] {
            // Signed composition offsets: shown up to three frames before the decode time.
            let shift = MediaTime(ticks: negative ? 3 : 0, timescale: 30)
            var buffer = CaptionReorderBuffer(lead: shift)
            var decoder = CaptionDecoder()
            var captions: [Caption] = []
            var pictures: [CaptionReorderBuffer.Picture] = []
            for sample in samples {
                let messages = PictureUserData.registered(in: sample.bytes[...], codec: codec, framing: .lengthPrefixed(lengthSize: 4))
                let triplets = messages.flatMap { CaptionUserData.triplets(countryCode: $0.countryCode, payload: $0.payload[...]) }
                pictures += buffer.take(presentationTime: sample.shown, decodeTime: sample.decoded + shift, triplets: triplets)
            }
            pictures += buffer.flush()
            #expect(pictures.flatMap(\.triplets) == script && buffer.lateCount == 0)
            for picture in pictures { captions += decoder.decode(picture.triplets, at: picture.presentationTime) }
            captions += decoder.flush(at: nil)
            #expect(captions.map(\.cue.text.plain) == ["IN THE ORDER THEY ARE SHOWN", "TWO"])
        }
    }
}
