/// EXT-X-MEDIA tags, each and as groups (RFC 8216 §4.3.4.1, rfc8216bis §4.4.6.1).
enum RenditionGroupCheck {
    static func check(_ model: MultivariantModel, in document: PlaylistDocument, into findings: inout Findings) {
        for media in model.media { check(media, at: document.place(media.line), into: &findings) }
        var groups: [String: [String: [MultivariantModel.Media]]] = [:]
        for media in model.media { groups[media.type, default: [:]][media.group, default: []].append(media) }
        for (type, ofType) in groups.sorted(by: { $0.key < $1.key }) {
            for (_, members) in ofType.sorted(by: { $0.key < $1.key }) { check(group: members, in: document, into: &findings) }
            checkSameSets(ofType, type: type, in: document, into: &findings)
            for (name, members) in ofType.sorted(by: { $0.key < $1.key }) where !model.variants.contains(where: { $0.group(type) == name }) {
                guard let first = members.first else { continue }
                findings.add(.groupUnused, document.place(first.line), "no variant names the \(type) group \"\(name)\"")
            }
        }
    }

    private static func check(_ media: MultivariantModel.Media, at place: Place, into findings: inout Findings) {
        let list = media.attributes
        switch media.type {
        case "CLOSED-CAPTIONS":
            if media.uri != nil { findings.add(.mediaURI, place, "closed captions lie in the video and have no URI") }
            if let id = list["INSTREAM-ID"] {
                if !isInstreamID(id) { findings.add(.instreamID, place, "INSTREAM-ID \(id) is none of CC1 to CC4 and SERVICE1 to SERVICE63") }
            } else {
                findings.add(.instreamID, place, "closed captions without INSTREAM-ID")
            }
        case "SUBTITLES":
            if media.uri == nil { findings.add(.mediaURI, place, "a subtitle rendition without URI") }
        default: break
        }
        if media.type != "CLOSED-CAPTIONS", list["INSTREAM-ID"] != nil { findings.add(.instreamID, place, "INSTREAM-ID on \(media.type)") }
        if media.type != "SUBTITLES", list["FORCED"] != nil { findings.add(.forced, place, "FORCED on \(media.type)") }
        if media.isYes("FORCED"), list["AUTOSELECT"] != "YES" { findings.add(.forcedAutoselect, place, "forced subtitles that are not selected by themselves") }
        if media.isYes("DEFAULT"), list["AUTOSELECT"] == "NO" { findings.add(.defaultAutoselect, place, "DEFAULT=YES with AUTOSELECT=NO") }
        for name in ["LANGUAGE", "ASSOC-LANGUAGE"] {
            if let tag = list[name], !LanguageTagSyntax.isWellFormed(tag) { findings.add(.language, place, "\(name) \"\(tag)\" is no language tag") }
        }
        if media.type != "VIDEO", !media.type.isEmpty, list["LANGUAGE"] == nil {
            findings.add(.languageMissing, place, "\(media.type) \"\(media.name)\" without LANGUAGE")
        }
        if media.type == "AUDIO" {
            if let channels = list["CHANNELS"] {
                if !isChannels(channels) { findings.add(.channels, place, "CHANNELS \"\(channels)\" does not begin with a number of channels") }
            } else {
                findings.add(.channelsMissing, place, "audio \"\(media.name)\" without CHANNELS")
            }
        }
        if list["CHARACTERISTICS"]?.contains("public.accessibility.describes-video") ?? false, list["AUTOSELECT"] != "YES" {
            findings.add(.descriptionAutoselect, place, "an audio description that is not selected by itself")
        }
    }

    private static func check(group members: [MultivariantModel.Media], in document: PlaylistDocument, into findings: inout Findings) {
        var names: Set<String> = []
        var defaults = 0
        var traits: Set<[String]> = []
        for media in members {
            let place = document.place(media.line)
            if !names.insert(media.name).inserted { findings.add(.nameTwice, place, "the \(media.type) group \"\(media.group)\" has \"\(media.name)\" twice") }
            if media.isYes("DEFAULT") {
                defaults += 1
                if defaults == 2 { findings.add(.twoDefaults, place, "the \(media.type) group \"\(media.group)\" has a second DEFAULT=YES") }
            }
            if media.isYes("AUTOSELECT") {
                let trait = ["LANGUAGE", "ASSOC-LANGUAGE", "FORCED", "CHARACTERISTICS", "INSTREAM-ID"].map { name in
                    media.attributes[name] ?? (name == "FORCED" ? "NO" : "")
                }
                if !traits.insert(trait).inserted {
                    findings.add(.autoselectTwins, place, "\"\(media.name)\" cannot be told from another AUTOSELECT=YES rendition by language and purpose")
                }
            }
        }
    }

    /// Groups of one type are encodings of the same renditions (RFC 8216 §4.3.4.1.1).
    private static func checkSameSets(_ groups: [String: [MultivariantModel.Media]], type: String, in document: PlaylistDocument, into findings: inout Findings) {
        let sorted = groups.sorted { ($0.value.first?.line ?? 0) < ($1.value.first?.line ?? 0) }
        guard let reference = sorted.first?.value else { return }
        let ignored: Set = ["GROUP-ID", "URI", "CHANNELS", "BIT-DEPTH", "SAMPLE-RATE", "STABLE-RENDITION-ID"]
        func described(_ media: MultivariantModel.Media) -> [String] {
            media.attributes.items.filter { !ignored.contains($0.name) }.map { "\($0.name)=\($0.text)" }.sorted()
        }
        for (name, members) in sorted.dropFirst() {
            let differing = members.first { member in !reference.contains { described($0) == described(member) } }
            if let differing {
                findings.add(
                    .groupsDiffer, document.place(differing.line), "\"\(differing.name)\" of \(type) group \"\(name)\" is not in the first group, or is another there")
            } else if members.count != reference.count, let first = members.first {
                findings.add(
                    .groupsDiffer, document.place(first.line), "\(type) group \"\(name)\" has \(members.count) renditions, the first has \(reference.count)")
            }
        }
    }

    private static func isInstreamID(_ id: String) -> Bool {
        if ["CC1", "CC2", "CC3", "CC4"].contains(id) { return true }
        guard id.hasPrefix("SERVICE"), let number = Int(id.dropFirst(7)) else { return false }
        return (1...63).contains(number)
    }

    /// A count, then parameters behind slashes: `2`, `16/JOC`, `-/BINAURAL` (rfc8216bis §4.4.6.1).
    private static func isChannels(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, AttributeDefinition.isInteger(String(first)), first != "0" else { return false }
        return parts.dropFirst().allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2C }
        }
    }
}

extension Rule {
    static let mediaURI = Rule("rendition.uri", .must, "RFC 8216 §4.3.4.1, rfc8216bis §4.4.6.1", fix: "Give subtitles a URI and closed captions none.")
    static let instreamID = Rule("rendition.instream-id", .must, "RFC 8216 §4.3.4.1", fix: "Name the caption service of closed captions, and of nothing else.")
    static let forced = Rule("rendition.forced", .must, "RFC 8216 §4.3.4.1", fix: "Leave FORCED to subtitles.")
    static let forcedAutoselect = Rule("rendition.forced-autoselect", .should, "Apple HLS Authoring 5.11", fix: "Add AUTOSELECT=YES.")
    static let defaultAutoselect = Rule("rendition.default-autoselect", .must, "RFC 8216 §4.3.4.1", fix: "Write AUTOSELECT=YES, or leave it out.")
    static let language = Rule("rendition.language", .must, "RFC 8216 §4.3.4.1, RFC 5646 §2.1", fix: "Write a language tag such as en, pt-BR, zh-Hant.")
    static let languageMissing = Rule("rendition.language-missing", .should, "Apple HLS Authoring 8.10", fix: "Add LANGUAGE; und where it is not known.")
    static let channels = Rule("rendition.channels", .must, "RFC 8216 §4.3.4.1, rfc8216bis §4.4.6.1", fix: "Begin CHANNELS with the count of channels.")
    static let channelsMissing = Rule("rendition.channels-missing", .should, "RFC 8216 §4.3.4.1", fix: "Add CHANNELS.")
    static let descriptionAutoselect = Rule("rendition.description-autoselect", .should, "Apple HLS Authoring 2.13", fix: "Add AUTOSELECT=YES.")
    static let nameTwice = Rule("group.name-repeated", .must, "RFC 8216 §4.3.4.1.1", fix: "Give each rendition of a group a NAME of its own.")
    static let twoDefaults = Rule("group.two-defaults", .must, "RFC 8216 §4.3.4.1.1", fix: "Leave one DEFAULT=YES in a group.")
    static let autoselectTwins = Rule(
        "group.autoselect-twins", .should, "RFC 8216 §4.3.4.1.1", fix: "Tell them apart by LANGUAGE or CHARACTERISTICS, or take AUTOSELECT from one.")
    static let groupsDiffer = Rule(
        "group.sets-differ", .must, "RFC 8216 §4.3.4.1.1", fix: "List the same renditions, with the same attributes, in every group of a type.")
    static let groupUnused = Rule("group.unused", .note, "RFC 8216 §4.3.4.1.1", fix: "Name the group in a variant, or leave it out.")
}
