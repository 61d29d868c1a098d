internal import HLS

/// What holds for every playlist: encoding, tags and their values, attributes, and the version they need (RFC 8216 §4, §7).
enum PlaylistSyntaxCheck {
    static func check(_ document: PlaylistDocument, into findings: inout Findings) {
        if !document.isUTF8 { findings.add(.encoding, document.place(), "the playlist is not UTF-8") }
        if document.hasByteOrderMark { findings.add(.encoding, document.place(1), "the playlist begins with a byte order mark") }
        for line in document.controlLines { findings.add(.encoding, document.place(line), "the line has a control character in it") }
        if document.firstLine != "#EXTM3U" {
            findings.add(.header, document.place(1), "the first line is \"\(document.firstLine.prefix(40))\"")
        }
        guard let kind = document.kind else {
            findings.add(.kind, document.place(), "neither a multivariant nor a media playlist: no tag of either is there")
            return
        }
        var seen: Set<String> = []
        for tag in document.tags {
            guard let definition = TagDefinition.known[tag.name] else {
                findings.add(.unknownTag, document.place(tag.line), "\(tag.name) is not known; players pass over it")
                continue
            }
            if !seen.insert(tag.name).inserted, definition.isUnique { findings.add(.repeatedTag, document.place(tag.line), "\(tag.name) stands there again") }
            check(scope: definition.scope, of: tag, in: document, kind: kind, into: &findings)
            check(value: definition.value, of: tag, in: document, into: &findings)
        }
        checkOrder(document, into: &findings)
        checkVersion(document, kind: kind, into: &findings)
    }

    private static func check(
        scope: TagDefinition.Scope, of tag: PlaylistDocument.Tag, in document: PlaylistDocument, kind: PlaylistDocument.Kind, into findings: inout Findings
    ) {
        switch (scope, kind) {
        case (.multivariant, .media): findings.add(.foreignTag, document.place(tag.line), "\(tag.name) belongs in a multivariant playlist")
        case (.media, .multivariant), (.segment, .multivariant): findings.add(.foreignTag, document.place(tag.line), "\(tag.name) belongs in a media playlist")
        default: break
        }
    }

    private static func check(value: TagDefinition.Value, of tag: PlaylistDocument.Tag, in document: PlaylistDocument, into findings: inout Findings) {
        let place = document.place(tag.line)
        switch value {
        case .none:
            if let text = tag.value, !text.isEmpty { findings.add(.tagValue, place, "\(tag.name) takes no value, \"\(text)\" stands there") }
        case .integer:
            if !AttributeDefinition.isInteger(tag.value ?? "") { findings.add(.tagValue, place, "\(tag.name) takes a decimal integer, not \"\(tag.value ?? "")\"") }
        case .enumerated(let values):
            if !values.contains(tag.value ?? "") {
                findings.add(.tagValue, place, "\(tag.name) is one of \(values.joined(separator: ", ")), not \"\(tag.value ?? "")\"")
            }
        case .attributes(let definitions): check(definitions, of: tag, at: place, into: &findings)
        case .text:
            if tag.value?.isEmpty ?? true { findings.add(.tagValue, place, "\(tag.name) has no value") }
        }
    }

    private static func check(_ definitions: [AttributeDefinition], of tag: PlaylistDocument.Tag, at place: Place, into findings: inout Findings) {
        let list = StrictAttributeList(parsing: tag.value ?? "")
        for problem in list.problems { findings.add(.attributeSyntax, place, "\(tag.name): \(problem)") }
        for name in list.duplicates { findings.add(.attributeTwice, place, "\(tag.name): \(name) stands there twice") }
        for item in list.items {
            if let definition = definitions.first(where: { $0.name == item.name }) {
                if let fault = definition.fault(item) { findings.add(.attributeValue, place, "\(tag.name): \(fault)") }
            } else if tag.name == "#EXT-X-I-FRAME-STREAM-INF", ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"].contains(item.name) {
                findings.add(.attributeForeign, place, "\(tag.name) has no \(item.name)")
            } else if !(tag.name == "#EXT-X-DATERANGE" && item.name.hasPrefix("X-")), !item.name.hasPrefix("REQ-") {
                findings.add(.attributeUnknown, place, "\(tag.name): \(item.name) is not known; players pass over it")
            }
        }
        for definition in definitions where definition.isRequired && list[definition.name] == nil {
            findings.add(.attributeMissing, place, "\(tag.name) has no \(definition.name)")
        }
    }

    /// MEDIA-SEQUENCE and DISCONTINUITY-SEQUENCE say what the first segment is, and come before it.
    private static func checkOrder(_ document: PlaylistDocument, into findings: inout Findings) {
        var segmentSeen = false
        var discontinuitySeen = false
        for content in document.contents {
            switch content {
            case .uri: segmentSeen = true
            case .tag(let tag):
                if tag.name == "#EXT-X-DISCONTINUITY" { discontinuitySeen = true }
                let isLate = tag.name == "#EXT-X-MEDIA-SEQUENCE" && segmentSeen || tag.name == "#EXT-X-DISCONTINUITY-SEQUENCE" && (segmentSeen || discontinuitySeen)
                if isLate { findings.add(.tagOrder, document.place(tag.line), "\(tag.name) comes after the first segment or discontinuity") }
            }
        }
    }

    /// The least version each thing needs (RFC 8216 §7, rfc8216bis §8).
    private static func checkVersion(_ document: PlaylistDocument, kind: PlaylistDocument.Kind, into findings: inout Findings) {
        let stated = document.first("#EXT-X-VERSION").flatMap { $0.value }.flatMap { Int($0) } ?? 1
        let framesOnly = document.first("#EXT-X-I-FRAMES-ONLY") != nil
        var needs: [(version: Int, what: String, line: Int)] = []
        for tag in document.tags {
            func need(_ version: Int, _ what: String) { needs.append((version, what, tag.line)) }
            let list = StrictAttributeList(parsing: tag.value ?? "")
            switch tag.name {
            case "#EXTINF" where (tag.value ?? "").prefix(while: { $0 != "," }).contains("."): need(3, "a duration with a decimal point")
            case "#EXT-X-BYTERANGE", "#EXT-X-I-FRAMES-ONLY": need(4, String(tag.name.dropFirst()))
            case "#EXT-X-MAP": need(framesOnly ? 5 : 6, "EXT-X-MAP\(framesOnly ? "" : " without EXT-X-I-FRAMES-ONLY")")
            case "#EXT-X-KEY", "#EXT-X-SESSION-KEY":
                if list["IV"] != nil { need(2, "IV of EXT-X-KEY") }
                if list["KEYFORMAT"] != nil || list["KEYFORMATVERSIONS"] != nil { need(5, "KEYFORMAT of EXT-X-KEY") }
            case "#EXT-X-MEDIA" where (list["INSTREAM-ID"] ?? "").hasPrefix("SERVICE"): need(7, "INSTREAM-ID of a SERVICE")
            case "#EXT-X-DEFINE": need(list["QUERYPARAM"] != nil ? 11 : 8, "EXT-X-DEFINE")
            case "#EXT-X-SKIP": need(list["RECENTLY-REMOVED-DATERANGES"] != nil ? 10 : 9, "EXT-X-SKIP")
            default: if list.items.contains(where: { $0.name.hasPrefix("REQ-") }) { need(12, "an attribute that begins with REQ-") }
            }
        }
        guard let highest = needs.max(by: { $0.version < $1.version }), highest.version > stated else { return }
        findings.add(.version, document.place(highest.line), "\(highest.what) needs version \(highest.version), the playlist says \(stated)")
    }
}

extension Rule {
    static let encoding = Rule("playlist.encoding", .must, "RFC 8216 §4.1", fix: "Write UTF-8 without a byte order mark and without control characters.")
    static let header = Rule("playlist.header", .must, "RFC 8216 §4.3.1.1", fix: "Make #EXTM3U the first line, alone.")
    static let kind = Rule("playlist.kind", .must, "RFC 8216 §4.1", fix: "Write the tags of a multivariant or of a media playlist.")
    static let unknownTag = Rule("tag.unknown", .note, "RFC 8216 §6.3.1", fix: "Nothing, if it is meant for a player of your own.")
    static let repeatedTag = Rule("tag.repeated", .must, "RFC 8216 §4.3.1.2, §4.3.3, §4.3.5", fix: "Write the tag once.")
    static let foreignTag = Rule("tag.foreign", .must, "RFC 8216 §4.1, §4.3.3, §4.3.4", fix: "Move the tag into the other kind of playlist.")
    static let tagValue = Rule("tag.value", .must, "RFC 8216 §4.3", fix: "Write the value as the tag defines it.")
    static let tagOrder = Rule("tag.order", .must, "RFC 8216 §4.3.3.2, §4.3.3.3", fix: "Move the tag before the first segment.")
    static let attributeSyntax = Rule("attribute.syntax", .must, "RFC 8216 §4.2", fix: "Write NAME=value pairs with commas and nothing else between them.")
    static let attributeTwice = Rule("attribute.repeated", .must, "RFC 8216 §4.2", fix: "Name each attribute once.")
    static let attributeValue = Rule("attribute.value", .must, "RFC 8216 §4.2, §4.3", fix: "Write the value in the form the attribute defines.")
    static let attributeMissing = Rule("attribute.missing", .must, "RFC 8216 §4.3, rfc8216bis §4.4", fix: "Add the attribute.")
    static let attributeForeign = Rule("attribute.foreign", .must, "RFC 8216 §4.3.4.3", fix: "Leave the attribute out.")
    static let attributeUnknown = Rule("attribute.unknown", .note, "RFC 8216 §6.3.1", fix: "Nothing, if it is meant for a player of your own.")
    static let version = Rule("version.low", .must, "RFC 8216 §7, rfc8216bis §8", fix: "State the version that the playlist's contents need.")
}
