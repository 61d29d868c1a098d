import ISOBMFF

/// Faults of playlists and of delivery.
extension Fault {
    static let ofPlaylists: [Fault] = [
        // Any playlist.
        .master("playlist.header", "#EXTM3U", "# EXTM3U"),
        Fault("playlist.encoding", "a byte order mark") { $0.files["hi/index.m3u8"]?.bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0) },
        .media("playlist.encoding", "#EXT-X-MEDIA-SEQUENCE:0", "#\u{07}\n#EXT-X-MEDIA-SEQUENCE:0"),
        Fault("playlist.encoding", "Latin-1") { $0.files["master.m3u8"]?.bytes.append(contentsOf: [0x23, 0xE9, 0x0A]) },
        .media("tag.unknown", "#EXTINF", "#EXT-X-CUE-OUT:30\n#EXTINF"),
        .media("tag.repeated", "#EXT-X-VERSION:6", "#EXT-X-VERSION:6\n#EXT-X-VERSION:6"),
        .media("tag.repeated", "#EXT-X-TARGETDURATION:4", "#EXT-X-TARGETDURATION:4\n#EXT-X-TARGETDURATION:4"),
        .master("tag.foreign", "#EXT-X-VERSION:6", "#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4"),
        .media("tag.foreign", "#EXTINF", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\"\n#EXTINF"),
        .media("tag.value", "SEQUENCE:0", "SEQUENCE:zero"),
        .media("tag.value", "TYPE:VOD", "TYPE:LIVE", also: ["renditions.type"]),
        .media("tag.value", "#EXT-X-ENDLIST", "#EXT-X-ENDLIST:YES"),
        .media("tag.order", "#EXT-X-ENDLIST", "#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-ENDLIST"),
        .media("version.low", "VERSION:6", "VERSION:5"),
        .edit("version.low", "text/en/index.m3u8", "VERSION:6", "VERSION:2"),
        .master("attribute.value", "NAME=\"English\"", "NAME=English"),
        .master("attribute.value", "DEFAULT=YES", "DEFAULT=TRUE"),
        .master("attribute.value", "RESOLUTION=640x384", "RESOLUTION=640X384"),
        .master("attribute.value", "FRAME-RATE=25.000", "FRAME-RATE=25/1"),
        .master("attribute.value", "VIDEO-RANGE=SDR", "VIDEO-RANGE=HDR"),
        .master("attribute.repeated", "DEFAULT=YES", "DEFAULT=YES,DEFAULT=YES"),
        .master("attribute.missing", "NAME=\"Français\",", "", also: ["group.autoselect-twins"]),
        .media("attribute.missing", "URI=\"init.mp4\"", "BYTERANGE=\"10@0\"", also: ["segment.map-missing"]),
        .master("attribute.syntax", "CLOSED-CAPTIONS=NONE", "CLOSED-CAPTIONS=NONE,"),
        .master("attribute.syntax", "AUTOSELECT=YES,CHANNELS", "AUTOSELECT=YES, CHANNELS", also: ["attribute.unknown", "rendition.channels-missing"]),
        .master("attribute.unknown", "DEFAULT=YES", "DEFAULT=YES,COLOR=\"red\""),
        .master("attribute.foreign", "URI=\"frames.m3u8\"", "URI=\"frames.m3u8\",FRAME-RATE=1.000"),

        // Renditions and their groups.
        .master("rendition.uri", ",URI=\"text/en/index.m3u8\"", ""),
        .master(
            "rendition.uri", "#EXT-X-STREAM", "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"CC\",LANGUAGE=\"en\",INSTREAM-ID=\"CC1\",URI=\"lo/index.m3u8\"\n#EXT-X-STREAM",
            also: ["group.unused"]),
        .master("rendition.instream-id", "FORCED=NO", "FORCED=NO,INSTREAM-ID=\"CC1\""),
        .master(
            "rendition.instream-id", "#EXT-X-STREAM", "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"CC\",LANGUAGE=\"en\",INSTREAM-ID=\"CC5\"\n#EXT-X-STREAM",
            also: ["group.unused"]),
        .master("rendition.forced", "CHANNELS=\"2\"", "CHANNELS=\"2\",FORCED=NO"),
        .master("rendition.forced-autoselect", "AUTOSELECT=YES,FORCED=NO", "AUTOSELECT=NO,FORCED=YES"),
        .master("rendition.default-autoselect", "DEFAULT=YES,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"),
        .master("rendition.language", "LANGUAGE=\"fr\"", "LANGUAGE=\"fr_FR\""),
        .master("rendition.language", "LANGUAGE=\"fr\"", "LANGUAGE=\"f\""),
        .master("rendition.language-missing", "LANGUAGE=\"fr\",", ""),
        .master("rendition.channels", "CHANNELS=\"2\"", "CHANNELS=\"stereo\""),
        .master("rendition.channels-missing", "CHANNELS=\"2\",", ""),
        .master("rendition.channels-wrong", "CHANNELS=\"2\"", "CHANNELS=\"6\""),
        .master(
            "rendition.description-autoselect", "DEFAULT=NO,AUTOSELECT=YES,CHANNELS",
            "DEFAULT=NO,AUTOSELECT=NO,CHARACTERISTICS=\"public.accessibility.describes-video\",CHANNELS"),
        .master("rendition.not-muxed", ",URI=\"audio/fr/index.m3u8\"", ""),
        .master("group.name-repeated", "Français", "English"),
        .master("group.two-defaults", "DEFAULT=NO,AUTOSELECT=YES,CHANNELS", "DEFAULT=YES,AUTOSELECT=YES,CHANNELS"),
        .master("group.autoselect-twins", "LANGUAGE=\"fr\"", "LANGUAGE=\"en\""),
        .master(
            "group.sets-differ", "#EXT-X-STREAM", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"2\","
                + "URI=\"audio/en/index.m3u8\"\n#EXT-X-STREAM", also: ["group.unused"]),
        .master("variant.group-missing", "SUBTITLES=\"s\"", "SUBTITLES=\"t\""),

        // Variants.
        .master("variant.uri", "lo/index.m3u8\n", ""),
        .master("variant.stray-uri", "lo/index.m3u8\n", "lo/index.m3u8\nhi/index.m3u8\n"),
        .master("variant.captions-none", ",CLOSED-CAPTIONS=NONE", ""),
        .master("attribute.missing", "BANDWIDTH", "X-BANDWIDTH", also: ["attribute.unknown"]),
        .master("variant.bandwidth-zero", "INF:BANDWIDTH=", "INF:BANDWIDTH=0,X=", also: ["attribute.unknown", "variant.average-over-peak"]),
        .master("variant.average-over-peak", "AVERAGE-BANDWIDTH=", "AVERAGE-BANDWIDTH=9", also: ["bandwidth.average"]),
        .master("variant.average-missing", "AVERAGE-BANDWIDTH=", "X=", also: ["attribute.unknown"]),
        .master("variant.no-i-frames", "#EXT-X-I-FRAME-STREAM-INF", "#X"),
        .master("variant.one-bit-rate", "hi/index.m3u8", "lo/index.m3u8", also: ["bandwidth.peak-overstated", "bandwidth.average"]),
        .master("variant.score", "INF:BANDWIDTH", "INF:SCORE=1.0,BANDWIDTH"),
        .master("variant.resolution-missing", "RESOLUTION=640x384,", ""),
        .master("variant.resolution", "RESOLUTION=640x384", "RESOLUTION=1280x720"),
        .master("variant.frame-rate-missing", "FRAME-RATE=25.000,", ""),
        .master("variant.frame-rate", "FRAME-RATE=25.000", "FRAME-RATE=50.000"),
        .master("variant.frame-rate-high", "FRAME-RATE=25.000", "FRAME-RATE=120.000", also: ["variant.frame-rate"]),
        .master("variant.video-range", "VIDEO-RANGE=SDR", "VIDEO-RANGE=PQ"),
        .master("variant.video-range", "VIDEO-RANGE=SDR", "VIDEO-RANGE=HLG"),
        .master("variant.independent-unsaid", "#EXT-X-INDEPENDENT-SEGMENTS\n", ""),
        .master("codecs.missing", "CODECS=\"avc1.4D401E,mp4a.40.2\",", ""),
        .master("codecs.syntax", "avc1.4D401E,mp4a", "avc1.4D40,mp4a", also: ["codecs.wrong"]),
        .master("codecs.wrong", "avc1.4D401E,mp4a", "avc1.640028,mp4a"),
        .master("codecs.wrong", "avc1.4D401E,mp4a.40.2", "avc1.4D401E"),
        .master("codecs.wrong", "avc1.4D401E,mp4a.40.2", "hvc1.1.6.L93.B0,mp4a.40.2", also: ["codecs.extra"]),
        .master("codecs.extra", "mp4a.40.2", "mp4a.40.2,ac-3"),
        .master("codecs.repeated", "mp4a.40.2", "mp4a.40.2,mp4a.40.2"),
        .master("codecs.unknown", "mp4a.40.2", "mp4a.40.2,zzzz.1", also: ["codecs.extra"]),
        .master("codecs.supplemental", "RESOLUTION", "SUPPLEMENTAL-CODECS=\"dvh1.08.07\",RESOLUTION"),
        .master("bandwidth.peak-overstated", "INF:BANDWIDTH=", "INF:BANDWIDTH=9"),
        .master("bandwidth.average", "AVERAGE-BANDWIDTH=", "AVERAGE-BANDWIDTH=1,X=", also: ["attribute.unknown"]),
        Fault("bandwidth.peak", "a segment heavier than BANDWIDTH", also: ["bandwidth.average", "bandwidth.steep"]) { presentation in
            presentation.segment("hi", 2) { segment in
                segment.data += [UInt8](repeating: 0, count: 40_000)
                segment.fragment.samples[99].byteCount += 40_000
            }
        },
        .master("playlist.nested", "lo/index.m3u8", "master.m3u8"),
        .master("delivery.unreachable", "lo/index.m3u8", "lo/nothing.m3u8"),

        // Media playlists.
        .media("playlist.target-missing", "#EXT-X-TARGETDURATION:4\n", ""),
        .media("segment.over-target", "TARGETDURATION:4", "TARGETDURATION:3", also: ["renditions.target", "bandwidth.peak"]),
        .media("renditions.target", "TARGETDURATION:4", "TARGETDURATION:6"),
        .media("segment.extinf-missing", "#EXTINF:4.000,\nseg4", "seg4", also: lastSegment),
        .media("segment.extinf", "#EXTINF:4.000,\nseg4", "#EXTINF:four,\nseg4", also: lastSegment),
        .media("segment.extinf", "#EXTINF:4.000,\nseg4", "#EXTINF:4.000\nseg4"),
        .media("timeline.duration", "#EXTINF:4.000,\nseg4", "#EXTINF:3.000,\nseg4", also: lastSegment),
        .media("timeline.duration-inexact", "#EXTINF:4.000,\nseg4", "#EXTINF:3.800,\nseg4", also: lastSegment),
        .media("timeline.drift", "#EXTINF:4.000,\nseg2", "#EXTINF:2.000,\nseg2", also: ["timeline.duration", "renditions.boundaries", "renditions.length-apart", "bandwidth.peak", "bandwidth.average"]),
        .edit("renditions.length", "text/en/index.m3u8", "#EXTINF:4.000,\nseg3.vtt\n#EXTINF:4.000,\nseg4.vtt\n", "", also: ["renditions.boundaries"]),
        .media("playlist.vod-without-end", "#EXT-X-ENDLIST\n", "", also: ["renditions.end"]),
        .media("playlist.type-missing", "#EXT-X-PLAYLIST-TYPE:VOD\n", "", also: ["renditions.type"]),
        .edit("renditions.type", "text/en/index.m3u8", "TYPE:VOD", "TYPE:EVENT"),
        .media("renditions.dates", "#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T12:00:00.000Z\n#EXTINF"),
        .media("playlist.start", "#EXTINF", "#EXT-X-START:TIME-OFFSET=60\n#EXTINF"),
        .media("playlist.server-control", "#EXTINF", "#EXT-X-SERVER-CONTROL:HOLD-BACK=8\n#EXTINF"),
        .media("segment.no-uri", "#EXT-X-ENDLIST", "#EXTINF:4.000,\n#EXT-X-ENDLIST"),
        .media("segment.byte-range", "#EXTINF:4.000,\nseg1", "#EXTINF:4.000,\n#EXT-X-BYTERANGE:ten@0\nseg1"),
        .media("segment.byte-range-start", "#EXTINF:4.000,\nseg4", "#EXTINF:4.000,\n#EXT-X-BYTERANGE:100\nseg4", also: ["boxes.size", "bandwidth.average"]),
        .media("delivery.unreachable", "#EXTINF:4.000,\nseg4", "#EXTINF:4.000,\n#EXT-X-BYTERANGE:99999999@0\nseg4"),
        .media("delivery.unreachable", "seg3.m4s", "seg33.m4s"),
        .media("segment.map-missing", "#EXT-X-MAP:URI=\"init.mp4\"\n", ""),
        .media("segment.key", "#EXTINF", "#EXT-X-KEY:METHOD=SAMPLE-AES\n#EXTINF"),
        .media("segment.date", "#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:yesterday\n#EXTINF", also: ["renditions.dates"]),
        .media("segment.date-range", "#EXTINF", "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",END-ON-NEXT=YES\n#EXTINF"),
        .media("renditions.discontinuities", "#EXTINF:4.000,\nseg2", "#EXT-X-DISCONTINUITY\n#EXTINF:4.000,\nseg2"),
        .edit("playlist.i-frames-only", "frames.m3u8", "#EXT-X-I-FRAMES-ONLY\n", ""),
        .edit("i-frames.range", "frames.m3u8", "@0", "@50"),

        // Delivery.
        Fault("delivery.playlist-type", "a playlist as plain text") { $0.files["master.m3u8"]?.headers["content-type"] = "text/plain" },
        Fault("delivery.gzip", "an uncompressed playlist") { $0.files["hi/index.m3u8"]?.headers["content-encoding"] = nil },
        Fault("delivery.media-type", "a segment as a page") { $0.files["hi/seg1.m4s"]?.headers["content-type"] = "text/html" },
        Fault("delivery.cross-origin", "a segment for its own origin only") { $0.files["hi/seg1.m4s"]?.headers["access-control-allow-origin"] = nil },
        Fault("delivery.redirected", "a segment elsewhere") { $0.files["hi/seg1.m4s"]?.redirectedTo = "elsewhere.m4s" },
    ]

    /// What a wrong last duration brings along: the sum is shorter, and bits come faster.
    private static let lastSegment: Set<String> = [
        "timeline.duration", "timeline.duration-inexact", "renditions.length-apart", "bandwidth.average", "bandwidth.peak", "bandwidth.steep",
    ]
}
