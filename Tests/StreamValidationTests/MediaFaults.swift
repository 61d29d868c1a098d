import Bitstreams
import ISOBMFF

/// Faults of init segments, media segments and WebVTT.
extension Fault {
    static let ofInitialization: [Fault] = [
        Fault("init.ftyp", "no ftyp") { $0.hide("hi/init.mp4", "ftyp") },
        Fault("init.brand", "brands of an old file") { presentation in
            for (old, new) in [("iso6", "isom"), ("iso6", "isom"), ("cmfc", "mp42")] { presentation.edit("hi/init.mp4", old, new) }
        },
        Fault("init.moov", "no moov") { $0.hide("hi/init.mp4", "moov") },
        Fault("boxes.size", "a box longer than the file") { $0.patch("hi/init.mp4", "moov", at: -4, [0, 1, 0, 0]) },
        Fault("init.malformed", "a box longer than its parent") { $0.patch("hi/init.mp4", "mdia", at: -4, [0, 1, 0, 0]) },
        Fault("init.malformed", "no mdhd") { $0.hide("hi/init.mp4", "mdhd") },
        Fault("init.mvex", "no mvex") { $0.hide("hi/init.mp4", "mvex") },
        Fault("init.mvex", "trex of another track") { $0.patch("hi/init.mp4", "trex", at: 8, [0, 0, 0, 9]) },
        Fault("init.duration", "a movie of some length") { $0.patch("hi/init.mp4", "mvhd", at: 20, [0, 0, 1, 0]) },
        Fault("init.duration", "a track of some length") { $0.patch("hi/init.mp4", "tkhd", at: 24, [0, 0, 1, 0]) },
        Fault("init.timescale", "no ticks a second") { $0.patch("hi/init.mp4", "mdhd", at: 16, [0, 0, 0, 0]) },
        Fault("init.samples", "samples in the moov") { $0.patch("hi/init.mp4", "stsz", at: 12, [0, 0, 0, 1]) },
        Fault("init.track-id", "track 0", also: ["init.mvex", "segment.track"]) { $0.patch("hi/init.mp4", "tkhd", at: 16, [0, 0, 0, 0]) },
        Fault("init.handler", "video under a sound handler", also: ["init.configuration", "codecs.extra", "codecs.wrong", "segment.no-sample"]) { presentation in
            presentation.patch("hi/init.mp4", "vide", at: 0, Array("soun".utf8))
        },
        Fault("init.configuration", "no avcC") { $0.hide("hi/init.mp4", "avcC") },
        Fault("init.configuration", "avcC of version 0") { $0.patch("hi/init.mp4", "avcC", at: 4, [0]) },
        Fault("init.configuration", "esds without its descriptor") { $0.patch("audio/en/init.mp4", "esds", at: 8, [9]) },
        Fault("init.parameter-sets", "avc1 without parameter sets") { presentation in
            presentation.visual("hi/init.mp4") { $0.configurationBoxes = [RawBox(type: "avcC", payload: [1, 77, 0x40, 30, 0xFF, 0xE0, 0])] }
        },
        Fault("init.profile", "avcC of a level below its SPS", also: ["codecs.wrong"]) { $0.patch("hi/init.mp4", "avcC", at: 7, [20]) },
        Fault("init.in-band", "avc3", also: ["codecs.wrong", "codecs.extra"]) { presentation in presentation.visual("hi/init.mp4") { $0.format = "avc3" } },
        Fault("init.size", "another width in the sample entry") { presentation in presentation.visual("hi/init.mp4") { $0.width = 720 } },
        Fault("init.size", "another shape in tkhd") { presentation in presentation.initialize("hi/init.mp4") { $0.displayWidth = 400 } },
        Fault("variant.video-range", "PQ in the colr box") { presentation in
            presentation.visual("hi/init.mp4") { $0.colour = ColourInformation(primaries: 9, transfer: 16, matrix: 9, isFullRange: false) }
        },
        Fault("init.sample-rate", "another rate in the sample entry") { presentation in presentation.audio("audio/en/init.mp4") { $0.sampleRate = 44_100 } },
        Fault("init.edit-list", "an edit at double speed", also: ["timeline.drift"]) { presentation in
            presentation.initialize("hi/init.mp4") { $0.presentationOffset = 1 }
            presentation.patch("hi/init.mp4", "elst", at: 28, [0, 2, 0, 0])
        },
        Fault("init.edit-list-long", "an edit that ends") { presentation in
            presentation.initialize("hi/init.mp4") { $0.presentationOffset = 1 }
            presentation.patch("hi/init.mp4", "elst", at: 12, [0, 0, 0, 0, 0, 1, 0, 0])
        },
        Fault("timeline.drift", "an edit list that takes two seconds off one rendition") { presentation in
            presentation.initialize("audio/en/init.mp4") { $0.presentationOffset = 96_000 }
        },
        Fault("init.track-kind", "video where audio belongs", also: ["timeline.drift", "timeline.duration", "timeline.sound-gap", "timeline.gap", "codecs.wrong", "segment.sync-flag"]) { presentation in
            presentation.files["audio/en/init.mp4"]?.bytes = ReferencePresentation.videoInitialization.serialized()
        },
    ]

    static let ofSegments: [Fault] = [
        Fault("segment.empty", "no bytes", also: ["bandwidth.average"]) { $0.files["hi/seg2.m4s"]?.bytes = [] },
        Fault("boxes.size", "cut short") { $0.files["hi/seg2.m4s"]?.bytes.removeLast(10) },
        Fault("boxes.size", "stray bytes at the end") { $0.files["hi/seg2.m4s"]?.bytes += [0, 0, 0] },
        Fault("segment.moof", "no moof") { $0.hide("hi/seg2.m4s", "moof") },
        Fault("segment.mdat", "no mdat", also: ["segment.data-outside"]) { $0.hide("hi/seg2.m4s", "mdat") },
        Fault("segment.fragment", "no mfhd") { $0.hide("hi/seg2.m4s", "mfhd") },
        Fault("segment.fragment", "no tfhd") { $0.hide("hi/seg2.m4s", "tfhd") },
        Fault("segment.tfdt", "no tfdt") { $0.hide("hi/seg2.m4s", "tfdt") },
        Fault("segment.track", "a track the init segment has not") { $0.patch("hi/seg2.m4s", "tfhd", at: 8, [0, 0, 0, 9]) },
        Fault("segment.absolute", "offsets from the file's start") { $0.patch("hi/seg2.m4s", "tfhd", at: 7, [0x29]) },
        Fault("segment.base-is-moof", "no default-base-is-moof") { $0.patch("hi/seg2.m4s", "tfhd", at: 5, [0]) },
        Fault("segment.trun", "a data offset past the end") { $0.patch("hi/seg2.m4s", "trun", at: 12, [0, 0x10, 0, 0]) },
        Fault("segment.trun", "more samples than there are") { $0.patch("hi/seg2.m4s", "trun", at: 8, [0, 0, 2, 0]) },
        Fault("segment.data-outside", "a data offset into the moof", also: ["segment.sync-flag"]) { $0.patch("hi/seg2.m4s", "trun", at: 12, [0, 0, 0, 16]) },
        Fault("segment.data-left", "a sample less than the data") { presentation in presentation.segment("hi", 2) { $0.data += [1, 2, 3, 4] } },
        Fault("segment.dependent", "a first picture that is no sync sample") { presentation in
            presentation.segment("hi", 2) { $0.fragment.samples[0].flags = .nonSync }
        },
        Fault("segment.no-sync", "the same where nothing was promised") { presentation in
            presentation.edit("master.m3u8", "#EXT-X-INDEPENDENT-SEGMENTS\n", "")
            presentation.segment("hi", 2) { $0.fragment.samples[0].flags = .nonSync }
        },
        Fault("segment.sync-flag", "a P picture flagged sync") { presentation in
            presentation.segment("hi", 2) { $0.data.replaceSubrange(0..<900, with: ReferencePresentation.picture(isIDR: false, byteCount: 900)) }
        },
        Fault("segment.no-picture", "no sample", also: ["bandwidth.average"]) { presentation in
            presentation.segment("hi", 2) {
                $0.fragment.samples = []
                $0.data = []
            }
        },
        Fault("segment.no-sample", "no sound") { presentation in
            presentation.segment("audio/fr", 2) {
                $0.fragment.samples = []
                $0.data = []
            }
        },
        Fault("segment.zero-duration", "samples of no length", also: ["timeline.gap", "timeline.duration", "variant.frame-rate", "timeline.duration-inexact"]) { presentation in
            presentation.segment("hi", 2) { segment in
                for index in 0..<3 { segment.fragment.samples[index].durationTicks = 0 }
            }
        },
        Fault("segment.sidx", "an index of more than there is") { presentation in
            presentation.segment("hi", 2) { _ in }
            var index: [UInt8] = [0, 0, 0, 44] + Array("sidx".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
            index += [0x7F, 0, 0, 0, 0, 0, 0xC8, 0, 0x90, 0, 0, 0]
            presentation.files["hi/seg2.m4s"]?.bytes.insert(contentsOf: index, at: 0)
        },
        Fault("timeline.drift", "tfdt ten seconds late", also: ["timeline.gap", "timeline.overlap", "timeline.duration"]) { presentation in
            presentation.segment("hi", 2) { $0.fragment.baseMediaDecodeTime += 128_000 }
        },
        Fault("timeline.drift", "one rendition two seconds late") { presentation in
            for index in 0..<ReferencePresentation.segmentCount {
                presentation.segment("audio/fr", index) { $0.fragment.baseMediaDecodeTime += 96_000 }
            }
        },
        Fault("timeline.overlap", "tfdt a third of a second early", also: ["timeline.gap", "timeline.duration-inexact"]) { presentation in
            presentation.segment("hi", 2) { $0.fragment.baseMediaDecodeTime -= 4_096 }
        },
        Fault("timeline.gap", "tfdt a third of a second late", also: ["timeline.overlap", "timeline.duration-inexact"]) { presentation in
            presentation.segment("hi", 2) { $0.fragment.baseMediaDecodeTime += 4_096 }
        },
        Fault("timeline.sound-gap", "ten frames of sound missing") { presentation in
            presentation.segment("audio/fr", 2) {
                $0.fragment.samples.removeLast(10)
                $0.data.removeLast(320)
            }
        },
        Fault("timeline.sequence-number", "a number again") { presentation in presentation.segment("hi", 2) { $0.fragment.sequenceNumber = 2 } },
        Fault("segment.other-format", "a transport stream", also: ["codecs.extra", "bandwidth.average"]) { $0.files["hi/seg2.m4s"]?.bytes = [0x47] + [UInt8](repeating: 0xFF, count: 187) },
    ]

    static let ofText: [Fault] = [
        .edit("webvtt.signature", "text/en/seg1.vtt", "WEBVTT", "WEBVT"),
        .edit("webvtt.map-missing", "text/en/seg1.vtt", "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n", ""),
        .edit("webvtt.map", "text/en/seg1.vtt", "MPEGTS:0", "MPEGTS:zero"),
        .edit("webvtt.map-place", "text/en/seg1.vtt", "WEBVTT\n", "WEBVTT\n\n"),
        .edit("webvtt.cue", "text/en/seg1.vtt", "05.000 -->", "05,000 -->"),
        .edit("webvtt.cue", "text/en/seg1.vtt", " --> ", "-->"),
        .edit("webvtt.cue-end", "text/en/seg1.vtt", "00:00:05.000", "00:00:06.500", also: ["webvtt.cue-order"]),
        .edit("webvtt.cue-order", "text/en/seg1.vtt", "00:00:05.000", "00:00:06.100"),
        .edit("webvtt.arrow", "text/en/seg1.vtt", "line 1", "line --> 1"),
        .edit("webvtt.cue-outside", "text/en/seg1.vtt", "MPEGTS:0", "MPEGTS:900000"),
        .edit("webvtt.cue-outside", "text/en/seg1.vtt", "00:00:06.000 --> 00:00:07.000", "00:00:16.000 --> 00:00:17.000"),
        Fault("webvtt.header", "a header that nothing ends") { $0.files["text/en/seg1.vtt"]?.bytes = Array("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n".utf8) },
        Fault("webvtt.encoding", "Latin-1") { $0.files["text/en/seg1.vtt"]?.bytes.append(contentsOf: [0xE9, 0x0A]) },
        Fault("segment.empty", "no bytes") { $0.files["text/en/seg1.vtt"]?.bytes = [] },
        Fault("delivery.media-type", "a subtitle segment as video") { $0.files["text/en/seg1.vtt"]?.headers["content-type"] = "video/mp4" },
    ]
}
