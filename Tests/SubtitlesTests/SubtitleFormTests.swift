import Libav
import Subtitles
import Testing

@Suite struct SubtitleFormTests {
    @Test func aCodecSaysWhoReadsItsPackets() {
        #expect(SubtitleForm(.subrip) == .words && SubtitleForm(.other("mpl2")) == .words)
        #expect(SubtitleForm(.pgs) == .pictures && SubtitleForm(.teletext) == .teletext && SubtitleForm(.eia608) == .captions)
        #expect(SubtitleForm(.h264) == nil && SubtitleForm(.other("bin_data")) == nil && SubtitleForm(.unknown) == nil)
    }
}
