package import BitsAndTime

/// The init segment of one track: `ftyp` and a `moov` without samples (ISO/IEC 14496-12:2022 §8, 23000-19 §7.3.1). Several written into one
/// are that of a presentation whose segments hold all their tracks.
///
///     ftyp
///     moov ── mvhd
///          ├─ trak ── tkhd, edts/elst?, mdia ── mdhd, hdlr, minf ── vmhd|smhd, dinf/dref, stbl ── stsd, stts, stsc, stsz, stco
///          └─ mvex ── trex
package struct InitializationSegment: Sendable, Equatable {
    package enum SampleEntry: Sendable, Equatable {
        case visual(VisualSampleEntry)
        case audio(AudioSampleEntry)
    }

    package var trackID: UInt32
    /// Ticks a second of the media timeline, and of the movie's.
    package var timescale: UInt32
    /// ISO 639-2/T, three lower-case letters.
    package var language: String
    package var sampleEntry: SampleEntry
    /// `media_time` of an offset edit list: what to take off each composition time to get the presentation time. 0: no edit list.
    package var presentationOffset: UInt64
    /// How the picture is to be laid out, in square pixels.
    package var displayWidth: UInt32
    package var displayHeight: UInt32

    package init(
        trackID: UInt32 = 1, timescale: UInt32, language: String = "und", sampleEntry: SampleEntry, presentationOffset: UInt64 = 0,
        displayWidth: UInt32 = 0, displayHeight: UInt32 = 0
    ) {
        self.trackID = trackID
        self.timescale = timescale
        self.language = language
        self.sampleEntry = sampleEntry
        self.presentationOffset = presentationOffset
        self.displayWidth = displayWidth
        self.displayHeight = displayHeight
    }

    /// The whole segment. Parsing it gives this value back.
    package func serialized() -> [UInt8] { Self.serialized([self]) }

    /// One init segment of several tracks, each with an ID of its own; the movie's clock is the first one's.
    package static func serialized(_ tracks: [InitializationSegment]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 1024)
        writer.writeBox("ftyp") {
            $0.write(ascii: "iso6")  // default-base-is-moof with signed offsets and tfdt
            $0.write(0 as UInt32)
            $0.write(ascii: "iso6mp41cmfc")
        }
        writer.writeBox("moov") { moov in
            moov.writeFullBox("mvhd") { mvhd in
                mvhd.writeZeros(8)
                mvhd.write(tracks.first?.timescale ?? 1000)
                mvhd.write(0 as UInt32)
                mvhd.write(0x0001_0000 as UInt32)  // rate 1
                mvhd.write(0x0100 as UInt16)  // volume 1
                mvhd.writeZeros(10)
                writeUnityMatrix(into: &mvhd)
                mvhd.writeZeros(24)
                mvhd.write((tracks.map(\.trackID).max() ?? 0) &+ 1)
            }
            for track in tracks { moov.writeBox("trak") { track.writeTrack(into: &$0) } }
            moov.writeBox("mvex") {
                // All zero: our fragments say everything themselves.
                for track in tracks { TrackExtends(trackID: track.trackID).serialize(into: &$0) }
            }
        }
        return writer.bytes
    }

    private func writeTrack(into trak: inout ByteWriter) {
        var isAudio = false
        if case .audio = sampleEntry { isAudio = true }
        trak.writeFullBox("tkhd", flags: 0b111) { tkhd in  // enabled, in movie, in preview
            tkhd.writeZeros(8)
            tkhd.write(trackID)
            tkhd.writeZeros(8)
            tkhd.writeZeros(8)
            tkhd.write(0 as UInt16)
            tkhd.write((isAudio ? 1 : 0) as UInt16)  // alternate_group
            tkhd.write((isAudio ? 0x0100 : 0) as UInt16)  // volume
            tkhd.write(0 as UInt16)
            Self.writeUnityMatrix(into: &tkhd)
            tkhd.write(displayWidth << 16)
            tkhd.write(displayHeight << 16)
        }
        if presentationOffset > 0 {
            trak.writeBox("edts") {
                $0.writeFullBox("elst", version: 1) {
                    $0.write(1 as UInt32)
                    $0.write(0 as UInt64)  // segment_duration 0: to the end of all fragments (§8.6.6.1)
                    $0.write(presentationOffset)
                    $0.write(0x0001_0000 as UInt32)  // media_rate 1
                }
            }
        }
        trak.writeBox("mdia") { mdia in
            mdia.writeFullBox("mdhd") {
                $0.writeZeros(8)
                $0.write(timescale)
                $0.write(0 as UInt32)
                $0.write(Self.packed(language))
                $0.write(0 as UInt16)
            }
            mdia.writeFullBox("hdlr") {
                $0.write(0 as UInt32)
                if isAudio { $0.write(ascii: "soun") } else { $0.write(ascii: "vide") }
                $0.writeZeros(12)
                if isAudio { $0.write(ascii: "Audio") } else { $0.write(ascii: "Video") }
                $0.write(0 as UInt8)
            }
            mdia.writeBox("minf") { minf in
                if isAudio {
                    minf.writeFullBox("smhd") { $0.writeZeros(4) }
                } else {
                    minf.writeFullBox("vmhd", flags: 1) { $0.writeZeros(8) }
                }
                minf.writeBox("dinf") {
                    $0.writeFullBox("dref") {
                        $0.write(1 as UInt32)
                        $0.writeFullBox("url ", flags: 1) { _ in }  // in this file
                    }
                }
                minf.writeBox("stbl") { stbl in
                    stbl.writeFullBox("stsd") { stsd in
                        stsd.write(1 as UInt32)
                        switch sampleEntry {
                        case .visual(let entry): entry.serialize(into: &stsd)
                        case .audio(let entry): entry.serialize(into: &stsd)
                        }
                    }
                    stbl.writeFullBox("stts") { $0.write(0 as UInt32) }
                    stbl.writeFullBox("stsc") { $0.write(0 as UInt32) }
                    stbl.writeFullBox("stsz") { $0.writeZeros(8) }
                    stbl.writeFullBox("stco") { $0.write(0 as UInt32) }
                }
            }
        }
    }

    private static func writeUnityMatrix(into writer: inout ByteWriter) {
        for value: UInt32 in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] { writer.write(value) }
    }

    private static func packed(_ language: String) -> UInt16 {
        let letters = Array(language.utf8)
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return packed("und") }
        return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }

    private static func unpacked(_ word: UInt16) -> String {
        String([word >> 10 & 31, word >> 5 & 31, word & 31].map { Character(Unicode.Scalar(UInt8($0) + 0x60)) })
    }

    /// Reads an init segment of one track, or the first of several. Boxes we do not write are passed over.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        let moov = try Box.sequence(in: bytes[...]).required("moov", in: "init").children(context: "moov")
        try self.init(track: try moov.required("trak", in: "moov"))
    }

    /// Reads every track of an init segment, in their order; never none.
    package static func tracks(parsing bytes: [UInt8]) throws(ParseError) -> [InitializationSegment] {
        let moov = try Box.sequence(in: bytes[...]).required("moov", in: "init").children(context: "moov")
        var tracks = [try InitializationSegment(track: try moov.required("trak", in: "moov"))]
        for box in moov.filter({ $0.type == "trak" }).dropFirst() { tracks.append(try InitializationSegment(track: box)) }
        return tracks
    }

    private init(track box: Box) throws(ParseError) {
        let trak = try box.children(context: "trak")
        let mdia = try trak.required("mdia", in: "trak").children(context: "mdia")

        var tkhd = try trak.required("tkhd", in: "trak").reader()
        let wide = try tkhd.readFullBoxHeader().version == 1
        try tkhd.skip(wide ? 16 : 8)
        trackID = try tkhd.readUInt32()
        try tkhd.skip((wide ? 12 : 8) + 52)
        displayWidth = try tkhd.readUInt32() >> 16
        displayHeight = try tkhd.readUInt32() >> 16

        var mdhd = try mdia.required("mdhd", in: "mdia").reader()
        let wideMedia = try mdhd.readFullBoxHeader().version == 1
        try mdhd.skip(wideMedia ? 16 : 8)
        timescale = try mdhd.readUInt32()
        guard timescale > 0 else { throw ParseError(.malformed, at: 0, in: "mdhd", "timescale 0") }
        try mdhd.skip(wideMedia ? 8 : 4)
        language = Self.unpacked(try mdhd.readUInt16())

        presentationOffset = 0
        if let edts = trak.first("edts"), let elst = try edts.children(context: "edts").first("elst") {
            var reader = elst.reader()
            let version = try reader.readFullBoxHeader().version
            if try reader.readUInt32() == 1 {
                try reader.skip(version == 1 ? 8 : 4)
                let time = try reader.readInteger(byteCount: version == 1 ? 8 : 4)
                presentationOffset = version == 1 ? (time >> 63 == 0 ? time : 0) : (time >> 31 == 0 ? time : 0)
            }
        }

        var hdlr = try mdia.required("hdlr", in: "mdia").reader()
        try hdlr.skip(8)
        let handler = FourCharacterCode(try hdlr.readUInt32())
        let minf = try mdia.required("minf", in: "mdia").children(context: "minf")
        let stbl = try minf.required("stbl", in: "minf").children(context: "stbl")
        let entries = try stbl.required("stsd", in: "stbl").children(after: 8, context: "stsd")
        guard let entry = entries.first else { throw ParseError(.malformed, at: 0, in: "stsd", "no sample entry") }
        switch handler {
        case "vide": sampleEntry = .visual(try VisualSampleEntry(parsing: entry))
        case "soun": sampleEntry = .audio(try AudioSampleEntry(parsing: entry))
        default: throw ParseError(.unsupported, at: 0, in: "hdlr", "handler \(handler)")
        }
    }
}
