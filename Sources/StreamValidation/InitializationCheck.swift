internal import BitsAndTime
internal import ISOBMFF

/// An init segment: the boxes it has, their order, and each track's header (RFC 8216 §3.3, ISO/IEC 14496-12 §8).
enum InitializationCheck {
    /// Reads and checks; `nil` where there is no movie to read.
    static func check(_ bytes: [UInt8], resource: String, into findings: inout Findings) -> InitializationFacts? {
        let top: [Box]
        do throws(ParseError) {
            top = try Box.sequence(in: bytes[...], context: "init")
        } catch {
            findings.add(.boxes, Place(resource, byteOffset: error.offset), error.reason)
            return nil
        }
        var facts = InitializationFacts()
        if let ftyp = top.first("ftyp") {
            if top.first?.type != "ftyp" { findings.add(.ftypFirst, Place(resource, box: "ftyp", byteOffset: ftyp.offset), "\(top[0].type) comes before ftyp") }
            facts.brands = brands(ftyp)
            if facts.brands.isDisjoint(with: enough) {
                findings.add(.brand, Place(resource, box: "ftyp"), "no brand of iso6 or above: \(facts.brands.sorted().joined(separator: " "))")
            }
        } else {
            findings.add(.ftypFirst, Place(resource), "no ftyp")
        }
        for box in top where box.type == "moof" || box.type == "mdat" {
            findings.add(.initMedia, Place(resource, box: "\(box.type)", byteOffset: box.offset), "\(box.type) in an init segment")
        }
        guard let moov = top.first("moov") else {
            findings.add(.noMovie, Place(resource), "no moov")
            return nil
        }
        do throws(ParseError) {
            try read(moov, resource: resource, facts: &facts, into: &findings)
        } catch {
            findings.add(.movie, Place(resource, box: "moov", byteOffset: moov.offset), error.description)
            return nil
        }
        // What cannot be read of a track was told of; its segments cannot be judged by the rest.
        return facts.unreadableTracks == 0 ? facts : nil
    }

    private static let enough: Set<String> = ["iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "cmfc", "cmf2", "cmff", "cmfl", "cmfs", "hlsf"]

    private static func brands(_ ftyp: Box) -> Set<String> {
        var found: Set<String> = []
        var bytes = ftyp.payload
        var index = 0
        while bytes.count >= 4 {
            // The second word is the minor version.
            if index != 1 { found.insert(String(decoding: bytes.prefix(4), as: UTF8.self)) }
            bytes = bytes.dropFirst(4)
            index += 1
        }
        return found
    }

    private static func read(_ moov: Box, resource: String, facts: inout InitializationFacts, into findings: inout Findings) throws(ParseError) {
        let boxes = try moov.children(context: "moov")
        if let mvhd = boxes.first("mvhd") {
            var reader = mvhd.reader()
            let isWide = try reader.readFullBoxHeader().version == 1
            try reader.skip(isWide ? 16 : 8)
            facts.movieTimescale = try reader.readUInt32()
            let duration = try reader.readInteger(byteCount: isWide ? 8 : 4)
            if duration != 0 { findings.add(.duration, Place(resource, box: "moov/mvhd"), "duration is \(duration)") }
        } else {
            findings.add(.movie, Place(resource, box: "moov"), "no mvhd")
        }
        if let mvex = boxes.first("mvex") {
            if let last = boxes.last(where: { $0.type == "trak" }), last.offset > mvex.offset {
                findings.add(.extendsOrder, Place(resource, box: "moov/mvex", byteOffset: mvex.offset), "a trak follows mvex")
            }
            for box in try mvex.children(context: "moov/mvex") where box.type == "trex" {
                let one = try TrackExtends(parsing: box)
                facts.defaults[one.trackID] = one
            }
        } else {
            findings.add(.extends, Place(resource, box: "moov"), "no mvex: the tracks have no fragments")
        }
        for trak in boxes where trak.type == "trak" {
            do throws(ParseError) {
                let track = try readTrack(trak, resource: resource, into: &findings)
                if facts.track(track.id) != nil { findings.add(.trackTwice, Place(resource, box: "moov/trak/tkhd"), "two tracks have ID \(track.id)") }
                if boxes.first("mvex") != nil, facts.defaults[track.id] == nil {
                    findings.add(.extends, Place(resource, box: "moov/mvex"), "no trex for track \(track.id)")
                }
                facts.tracks.append(track)
                if track.timescale == 0 { facts.unreadableTracks += 1 }
            } catch {
                findings.add(.movie, Place(resource, box: "moov/trak", byteOffset: trak.offset), error.description)
                facts.unreadableTracks += 1
            }
        }
        if facts.tracks.isEmpty, facts.unreadableTracks == 0 { findings.add(.noTrack, Place(resource, box: "moov"), "no track") }
    }

    private static func readTrack(_ trak: Box, resource: String, into findings: inout Findings) throws(ParseError) -> InitializationFacts.Track {
        var track = InitializationFacts.Track()
        let boxes = try trak.children(context: "trak")
        var tkhd = try boxes.required("tkhd", in: "trak").reader()
        let isWide = try tkhd.readFullBoxHeader().version == 1
        try tkhd.skip(isWide ? 16 : 8)
        track.id = try tkhd.readUInt32()
        try tkhd.skip(4)
        let duration = try tkhd.readInteger(byteCount: isWide ? 8 : 4)
        if duration != 0 { findings.add(.duration, Place(resource, box: "moov/trak/tkhd"), "duration of track \(track.id) is \(duration)") }
        if track.id == 0 { findings.add(.trackTwice, Place(resource, box: "moov/trak/tkhd"), "track ID 0") }
        try tkhd.skip(52)
        track.displayWidth = Int(try tkhd.readUInt32() >> 16)
        track.displayHeight = Int(try tkhd.readUInt32() >> 16)

        let mdia = try boxes.required("mdia", in: "trak").children(context: "mdia")
        var mdhd = try mdia.required("mdhd", in: "mdia").reader()
        let isWideMedia = try mdhd.readFullBoxHeader().version == 1
        try mdhd.skip(isWideMedia ? 16 : 8)
        let timescale = try mdhd.readUInt32()
        track.timescale = Int32(exactly: timescale) ?? 0
        if track.timescale == 0 { findings.add(.timescale, Place(resource, box: "moov/trak/mdia/mdhd"), "timescale \(timescale)") }

        var hdlr = try mdia.required("hdlr", in: "mdia").reader()
        try hdlr.skip(8)
        let handler = FourCharacterCode(try hdlr.readUInt32())
        switch handler {
        case "vide": track.media = .video
        case "soun": track.media = .audio
        case "text", "subt", "sbtl", "clcp": track.media = .text
        default: track.media = .other
        }
        let stbl = try mdia.required("minf", in: "mdia").children(context: "minf").required("stbl", in: "minf").children(context: "stbl")
        for box in stbl where ["stts", "stsc", "stco", "co64", "stss"].contains(box.type) { try checkEmpty(box, skipping: 0, resource, into: &findings) }
        if let stsz = stbl.first("stsz") { try checkEmpty(stsz, skipping: 4, resource, into: &findings) }
        if let edts = boxes.first("edts"), let elst = try edts.children(context: "edts").first("elst") {
            track.edits = try EditListCheck.check(elst, resource: resource, into: &findings)
        }
        let stsd = try stbl.required("stsd", in: "stbl")
        let entries = try stsd.children(after: 8, context: "stsd")
        guard let entry = entries.first else {
            findings.add(.sampleEntry, Place(resource, box: "moov/trak/mdia/minf/stbl/stsd"), "no sample entry")
            return track
        }
        SampleEntryCheck.check(entry, handler: handler, resource: resource, track: &track, into: &findings)
        return track
    }

    private static func checkEmpty(_ box: Box, skipping: Int, _ resource: String, into findings: inout Findings) throws(ParseError) {
        var reader = box.reader()
        _ = try reader.readFullBoxHeader()
        try reader.skip(skipping)
        let count = try reader.readUInt32()
        if count != 0 { findings.add(.samplesInMovie, Place(resource, box: "moov/trak/mdia/minf/stbl/\(box.type)"), "\(count) entries") }
    }
}

/// An edit list of a fragmented track: at most an offset (ISO/IEC 23000-19 §7.5.13).
enum EditListCheck {
    static func check(_ elst: Box, resource: String, into findings: inout Findings) throws(ParseError) -> [InitializationFacts.Edit] {
        let place = Place(resource, box: "moov/trak/edts/elst")
        var reader = elst.reader()
        let isWide = try reader.readFullBoxHeader().version == 1
        let count = Int(try reader.readUInt32())
        guard count * (isWide ? 20 : 12) <= reader.remaining else {
            findings.add(.editList, place, "\(count) entries in \(reader.remaining) bytes")
            return []
        }
        var edits: [InitializationFacts.Edit] = []
        for _ in 0..<count {
            let duration = try reader.readInteger(byteCount: isWide ? 8 : 4)
            let time = isWide ? Int64(bitPattern: try reader.readUInt64()) : Int64(try reader.readInt32())
            edits.append(InitializationFacts.Edit(durationTicks: duration, mediaTime: time, rate: try reader.readUInt32()))
        }
        if edits.contains(where: { $0.rate != 0x1_0000 }) { findings.add(.editList, place, "an edit at another rate than 1") }
        if edits.contains(where: { $0.mediaTime < -1 }) { findings.add(.editList, place, "a media time below -1") }
        if edits.count > 1 { findings.add(.editListLong, place, "\(edits.count) edits, where fragments allow one offset") }
        if edits.count == 1, let edit = edits.first, edit.durationTicks != 0 {
            findings.add(.editListLong, place, "the edit ends after \(edit.durationTicks) ticks")
        }
        return edits
    }
}

extension Rule {
    static let boxes = Rule("boxes.size", .must, "ISO/IEC 14496-12 §4.2", fix: "Write sizes that cover each box, and no more than there is.")
    static let ftypFirst = Rule("init.ftyp", .must, "RFC 8216 §3.3, ISO/IEC 14496-12 §4.3", fix: "Begin the init segment with ftyp.")
    static let brand = Rule("init.brand", .must, "RFC 8216 §3.3", fix: "Name a brand that stands for iso6 or later.")
    static let initMedia = Rule("init.media", .should, "RFC 8216 §3.3", fix: "Leave media to the segments.")
    static let noMovie = Rule("init.moov", .must, "RFC 8216 §3.3", fix: "Put moov after ftyp.")
    static let movie = Rule("init.malformed", .must, "ISO/IEC 14496-12 §8", fix: "Write the box whole, with what it must contain.")
    static let duration = Rule("init.duration", .must, "RFC 8216 §3.3", fix: "Write duration 0: the fragments say how long they last.")
    static let extends = Rule("init.mvex", .must, "RFC 8216 §3.3, ISO/IEC 14496-12 §8.8.1, §8.8.3", fix: "Add mvex with a trex for each track.")
    static let extendsOrder = Rule("init.mvex-order", .must, "RFC 8216 §3.3", fix: "Put mvex behind the last trak.")
    static let trackTwice = Rule("init.track-id", .must, "ISO/IEC 14496-12 §8.3.2.3", fix: "Give each track an ID of its own, above 0.")
    static let noTrack = Rule("init.no-track", .must, "RFC 8216 §3.3", fix: "Describe every track that the segments have fragments of.")
    static let timescale = Rule("init.timescale", .must, "ISO/IEC 14496-12 §8.4.2.3", fix: "Count ticks a second from 1.")
    static let samplesInMovie = Rule("init.samples", .must, "RFC 8216 §3.3", fix: "Leave the sample tables empty.")
    static let editList = Rule("init.edit-list", .must, "ISO/IEC 14496-12 §8.6.6", fix: "Write one edit at rate 1, or none.")
    static let editListLong = Rule("init.edit-list-long", .should, "ISO/IEC 23000-19 §7.5.13", fix: "Write one edit of duration 0 that takes an offset off.")
}
