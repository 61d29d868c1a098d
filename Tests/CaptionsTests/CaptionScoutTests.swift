@testable import Captions
import Testing

@Suite struct CaptionScoutTests {
    private func channels(_ triplets: [CaptionTriplet]) -> [CaptionChannel] {
        var scout = CaptionScout()
        for triplet in triplets { scout.look(at: [triplet]) }
        return scout.channels
    }

    @Test func channelsWithTextAreFound() {
        var encoder = DTVCC()
        let all = Line21.popOn("A") + Line21.popOn("C", channel: 3) + Line21.rollUp("D", channel: 4)
        var scout = CaptionScout()
        scout.look(at: all + encoder.packet([DTVCC.define(0), DTVCC.text("X")], service: 2))
        #expect(scout.channels == [.cea608(1), .cea608(3), .cea608(4), .cea708(2)] && !scout.isFinished)
        #expect(scout.channels.map(\.instreamIdentifier) == ["CC1", "CC3", "CC4", "SERVICE2"])
    }

    @Test func paddingErasingServicesAndExtendedDataAreNone() {
        let padding = CaptionTriplet(.field1, 0x80, 0x80)
        #expect(channels([padding, padding] + Line21.command(.eraseDisplayedMemory) + Line21.popOn("")) == [])
        #expect(channels(Line21.command(.resumeTextDisplay) + Line21.text("STOCKS")) == [])
        #expect(channels([Line21.pair(0x01, 0x03, field: .field2)] + Line21.text("NAME", channel: 3)) == [])
        var encoder = DTVCC()
        #expect(channels(encoder.packet([DTVCC.define(0), DTVCC.reset])) == [])
    }

    @Test func picturesFromTheMiddleOfATextSayCC1() {
        #expect(channels(Line21.text("IN THE MIDDLE")) == [.cea608(1)])
        #expect(channels(Line21.text("IN THE MIDDLE", channel: 3)) == [])
        #expect(channels(Line21.code(0x14, 0x20, channel: 2) + Line21.text("TWO")) == [.cea608(2)])
    }

    @Test func itIsBounded() {
        var scout = CaptionScout()
        for _ in 0..<CaptionScout.pictureLimit { scout.look(at: []) }
        #expect(scout.isFinished && scout.pictureCount == 28 && scout.captionedPictureCount == 0)
        scout.look(at: Line21.text("LATE"))
        #expect(scout.channels == [])
    }
}
