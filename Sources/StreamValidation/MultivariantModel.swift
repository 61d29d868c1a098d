/// What a multivariant playlist says, with the lines it says it on. Broken entries stay in: they are what checks are for.
struct MultivariantModel: Sendable {
    struct Media: Sendable {
        let line: Int
        let attributes: StrictAttributeList
        var type: String { attributes["TYPE"] ?? "" }
        var group: String { attributes["GROUP-ID"] ?? "" }
        var name: String { attributes["NAME"] ?? "" }
        var uri: String? { attributes["URI"] }
        func isYes(_ name: String) -> Bool { attributes[name] == "YES" }
    }

    struct Variant: Sendable {
        let line: Int
        let attributes: StrictAttributeList
        /// `nil` where no URI follows.
        let uri: String?
        let isFramesOnly: Bool
        var bandwidth: Int? { attributes["BANDWIDTH"].flatMap { Int($0) } }
        var averageBandwidth: Int? { attributes["AVERAGE-BANDWIDTH"].flatMap { Int($0) } }
        var codecs: [String]? { attributes["CODECS"]?.split(separator: ",").map { String($0.drop { $0 == " " }) } }
        /// The group of a media type this variant plays with.
        func group(_ type: String) -> String? {
            guard let item = attributes.item(type), item.isQuoted else { return nil }
            return item.text
        }
    }

    private(set) var media: [Media] = []
    private(set) var variants: [Variant] = []
    private(set) var isIndependent = false
    /// URIs that follow no STREAM-INF.
    private(set) var strayLines: [Int] = []

    init(_ document: PlaylistDocument) {
        var open: (line: Int, attributes: StrictAttributeList)?
        func closed(_ uri: String?) -> Variant? { open.map { Variant(line: $0.line, attributes: $0.attributes, uri: uri, isFramesOnly: false) } }
        for content in document.contents {
            switch content {
            case .uri(let uri, let line):
                if let variant = closed(uri) { variants.append(variant) } else { strayLines.append(line) }
                open = nil
            case .tag(let tag):
                // The URI is the next line; a tag in between takes its place (RFC 8216 §4.3.4.2).
                if let variant = closed(nil) { variants.append(variant) }
                open = nil
                let list = StrictAttributeList(parsing: tag.value ?? "")
                switch tag.name {
                case "#EXT-X-STREAM-INF": open = (tag.line, list)
                case "#EXT-X-I-FRAME-STREAM-INF": variants.append(Variant(line: tag.line, attributes: list, uri: list["URI"], isFramesOnly: true))
                case "#EXT-X-MEDIA": media.append(Media(line: tag.line, attributes: list))
                case "#EXT-X-INDEPENDENT-SEGMENTS": isIndependent = true
                default: break
                }
            }
        }
        if let variant = closed(nil) { variants.append(variant) }
    }

    func members(_ type: String, _ group: String) -> [Media] { media.filter { $0.type == type && $0.group == group } }
}
