/// A codec by what it is, for switching over. Everything this engine has a rule for has a case; the rest keeps libav's name.
package enum CodecID: Sendable, Hashable {
    // Video
    case h261, h263, h264, hevc, vvc, av1, vp6, vp6f, vp6a, vp8, vp9
    case mpeg1video, mpeg2video, mpeg4, vc1, wmv1, wmv2, wmv3, msmpeg4v1, msmpeg4v2, msmpeg4v3
    case flv1, rv10, rv20, rv30, rv40, theora, prores, dnxhd, dvvideo, mjpeg, png, bmp, gif, webp, ffv1, rawvideo
    // Audio
    case aac, aacLATM, ac3, ac4, eac3, flac, alac, mp1, mp2, mp3, opus, vorbis, speex, truehd, mlp, dts
    case wmav1, wmav2, wmapro, wmavoice, wmalossless, amrNB, amrWB
    case cook, sipr, ralf, realAudio144, realAudio288, atrac1, atrac3, atrac3p, atrac9, nellymoser, wavpack, ape, tta
    /// Linear or companded PCM; the value is libav's name of its sample coding ("s16le", "bluray", "mulaw").
    case pcm(String)
    // Subtitles
    case subrip, ass, webvtt, movText, ttml, text, microdvd, sami, pgs, hdmvText, dvbSubtitle, dvdSubtitle, xsub
    case teletext, eia608, aribCaption
    /// Nothing is known, or not a codec ("none").
    case unknown
    /// libav's descriptor name of any other codec.
    case other(String)

    /// - Parameter name: libav's descriptor name, as at ``StreamInfo/codecName``.
    package init(libavName name: String) {
        if name.hasPrefix("pcm_") {
            self = .pcm(String(name.dropFirst(4)))
        } else {
            self = CodecID.named[name] ?? .other(name)
        }
    }

    /// libav's descriptor names (libavcodec/codec_desc.c), the same from FFmpeg 5.1 to 9. "ssa" is its older name for ASS.
    package static let named: [String: CodecID] = [
        "h261": .h261, "h263": .h263, "h264": .h264, "hevc": .hevc, "vvc": .vvc, "av1": .av1,
        "vp6": .vp6, "vp6f": .vp6f, "vp6a": .vp6a, "vp8": .vp8, "vp9": .vp9,
        "mpeg1video": .mpeg1video, "mpeg2video": .mpeg2video, "mpeg4": .mpeg4, "vc1": .vc1,
        "wmv1": .wmv1, "wmv2": .wmv2, "wmv3": .wmv3,
        "msmpeg4v1": .msmpeg4v1, "msmpeg4v2": .msmpeg4v2, "msmpeg4v3": .msmpeg4v3,
        "flv1": .flv1, "rv10": .rv10, "rv20": .rv20, "rv30": .rv30, "rv40": .rv40, "theora": .theora,
        "prores": .prores, "dnxhd": .dnxhd, "dvvideo": .dvvideo, "mjpeg": .mjpeg,
        "png": .png, "bmp": .bmp, "gif": .gif, "webp": .webp, "ffv1": .ffv1, "rawvideo": .rawvideo,

        "aac": .aac, "aac_latm": .aacLATM, "ac3": .ac3, "ac4": .ac4, "eac3": .eac3, "flac": .flac, "alac": .alac,
        "mp1": .mp1, "mp2": .mp2, "mp3": .mp3, "opus": .opus, "vorbis": .vorbis, "speex": .speex,
        "truehd": .truehd, "mlp": .mlp, "dts": .dts,
        "wmav1": .wmav1, "wmav2": .wmav2, "wmapro": .wmapro, "wmavoice": .wmavoice, "wmalossless": .wmalossless,
        "amr_nb": .amrNB, "amr_wb": .amrWB, "cook": .cook, "sipr": .sipr, "ralf": .ralf,
        "ra_144": .realAudio144, "ra_288": .realAudio288,
        "atrac1": .atrac1, "atrac3": .atrac3, "atrac3p": .atrac3p, "atrac9": .atrac9,
        "nellymoser": .nellymoser, "wavpack": .wavpack, "ape": .ape, "tta": .tta,

        "subrip": .subrip, "ass": .ass, "ssa": .ass, "webvtt": .webvtt, "mov_text": .movText, "ttml": .ttml, "text": .text,
        "microdvd": .microdvd, "sami": .sami, "hdmv_pgs_subtitle": .pgs, "hdmv_text_subtitle": .hdmvText,
        "dvb_subtitle": .dvbSubtitle, "dvd_subtitle": .dvdSubtitle, "xsub": .xsub, "dvb_teletext": .teletext,
        "eia_608": .eia608, "arib_caption": .aribCaption,

        "none": .unknown, "unknown_codec": .unknown,
    ]
}
