internal import BitsAndTime

/// A multivariant playlist (RFC 8216bis §4.4.6; RFC 8216 calls it master): the variants and their renditions.
package struct MultivariantPlaylist: Sendable, Equatable {
    package enum MediaType: String, Sendable, Equatable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// EXT-X-MEDIA.
    package struct Rendition: Sendable, Equatable {
        package var type: MediaType
        package var groupID: String
        package var name: String
        /// RFC 5646.
        package var language: String?
        /// RFC 5646: what else the language goes with, as a written one with a spoken one.
        package var assocLanguage: String?
        package var isDefault: Bool
        package var isAutoselect: Bool
        package var isForced: Bool
        package var characteristics: [String]
        package var channels: String?
        package var instreamID: String?
        package var uri: String?

        package init(
            type: MediaType, groupID: String, name: String, language: String? = nil, assocLanguage: String? = nil, isDefault: Bool = false, isAutoselect: Bool = false,
            isForced: Bool = false, characteristics: [String] = [], channels: String? = nil, instreamID: String? = nil, uri: String? = nil
        ) {
            self.type = type
            self.groupID = groupID
            self.name = name
            self.language = language
            self.assocLanguage = assocLanguage
            self.isDefault = isDefault
            self.isAutoselect = isAutoselect
            self.isForced = isForced
            self.characteristics = characteristics
            self.channels = channels
            self.instreamID = instreamID
            self.uri = uri
        }

        package var attributes: AttributeList {
            var list = AttributeList()
            list.append("TYPE", plain: type.rawValue)
            list.append("GROUP-ID", quoted: groupID)
            list.append("NAME", quoted: name)
            list.append("LANGUAGE", quoted: language)
            list.append("ASSOC-LANGUAGE", quoted: assocLanguage)
            list.append("DEFAULT", plain: isDefault ? "YES" : "NO")
            // A default that is not selected by itself contradicts the rules (§4.4.6.1).
            list.append("AUTOSELECT", plain: isAutoselect || isDefault ? "YES" : "NO")
            if type == .subtitles { list.append("FORCED", plain: isForced ? "YES" : "NO") }
            list.append("CHARACTERISTICS", quoted: characteristics.isEmpty ? nil : characteristics.joined(separator: ","))
            list.append("CHANNELS", quoted: channels)
            list.append("INSTREAM-ID", quoted: instreamID)
            list.append("URI", quoted: uri)
            return list
        }

        init?(_ list: AttributeList) {
            guard let type = list["TYPE"].flatMap(MediaType.init), let group = list["GROUP-ID"], let name = list["NAME"] else { return nil }
            self.init(
                type: type, groupID: group, name: name, language: list["LANGUAGE"], assocLanguage: list["ASSOC-LANGUAGE"], isDefault: list["DEFAULT"] == "YES",
                isAutoselect: list["AUTOSELECT"] == "YES", isForced: list["FORCED"] == "YES",
                characteristics: list["CHARACTERISTICS"].map { $0.split(separator: ",").map(String.init) } ?? [], channels: list["CHANNELS"],
                instreamID: list["INSTREAM-ID"], uri: list["URI"])
        }
    }

    package struct Resolution: Sendable, Equatable {
        package var width: Int
        package var height: Int
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// Pictures a second as a ratio; written with three decimals (RFC 8216 §4.3.4.2).
    package struct FrameRate: Sendable, Equatable {
        package var numerator: Int64
        package var denominator: Int64
        package init(numerator: Int64, denominator: Int64) {
            self.numerator = numerator
            self.denominator = denominator
        }

        var text: String? {
            guard numerator > 0, denominator > 0, numerator < 1 << 40 else { return nil }
            let milli = (numerator * 1000 + denominator / 2) / denominator
            guard milli > 0 else { return nil }  // Less than the three decimals can say.
            let fraction = String(milli % 1000)
            return "\(milli / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
        }
    }

    package enum ClosedCaptions: Sendable, Equatable {
        case none
        case group(String)
    }

    /// EXT-X-STREAM-INF and its URI.
    package struct Variant: Sendable, Equatable {
        /// Peak bits a second, renditions included.
        package var bandwidth: Int
        package var averageBandwidth: Int?
        package var codecs: [String]
        package var supplementalCodecs: [String]
        package var resolution: Resolution?
        package var frameRate: FrameRate?
        package var videoRange: String?
        /// `NONE`, `TYPE-0` or `TYPE-1` (§4.4.6.2).
        package var hdcpLevel: String?
        package var audioGroup: String?
        package var subtitleGroup: String?
        package var closedCaptions: ClosedCaptions?
        package var uri: String

        package init(
            bandwidth: Int, averageBandwidth: Int? = nil, codecs: [String], supplementalCodecs: [String] = [], resolution: Resolution? = nil,
            frameRate: FrameRate? = nil, videoRange: String? = nil, hdcpLevel: String? = nil, audioGroup: String? = nil, subtitleGroup: String? = nil,
            closedCaptions: ClosedCaptions? = nil, uri: String
        ) {
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.supplementalCodecs = supplementalCodecs
            self.resolution = resolution
            self.frameRate = frameRate
            self.videoRange = videoRange
            self.hdcpLevel = hdcpLevel
            self.audioGroup = audioGroup
            self.subtitleGroup = subtitleGroup
            self.closedCaptions = closedCaptions
            self.uri = uri
        }

        package var attributes: AttributeList {
            var list = AttributeList()
            list.append("BANDWIDTH", plain: String(bandwidth))
            list.append("AVERAGE-BANDWIDTH", plain: averageBandwidth.map(String.init))
            list.append("CODECS", quoted: codecs.isEmpty ? nil : codecs.joined(separator: ","))
            list.append("SUPPLEMENTAL-CODECS", quoted: supplementalCodecs.isEmpty ? nil : supplementalCodecs.joined(separator: ","))
            list.append("RESOLUTION", plain: resolution.map { "\($0.width)x\($0.height)" })
            list.append("FRAME-RATE", plain: frameRate?.text)
            list.append("HDCP-LEVEL", plain: hdcpLevel)
            list.append("VIDEO-RANGE", plain: videoRange)
            list.append("AUDIO", quoted: audioGroup)
            list.append("SUBTITLES", quoted: subtitleGroup)
            switch closedCaptions {
            case .some(.none): list.append("CLOSED-CAPTIONS", plain: "NONE")
            case .group(let group): list.append("CLOSED-CAPTIONS", quoted: group)
            case nil: break
            }
            return list
        }

        init?(_ list: AttributeList, uri: String) {
            guard let bandwidth = list["BANDWIDTH"].flatMap({ Int($0) }) else { return nil }
            let size = list["RESOLUTION"].map { $0.split(separator: "x").compactMap { Int($0) } } ?? []
            let captions = list.items.first { $0.name == "CLOSED-CAPTIONS" }?.value
            self.init(
                bandwidth: bandwidth, averageBandwidth: list["AVERAGE-BANDWIDTH"].flatMap { Int($0) },
                codecs: list["CODECS"].map { $0.split(separator: ",").map(String.init) } ?? [],
                supplementalCodecs: list["SUPPLEMENTAL-CODECS"].map { $0.split(separator: ",").map(String.init) } ?? [],
                resolution: size.count == 2 ? Resolution(width: size[0], height: size[1]) : nil,
                frameRate: list["FRAME-RATE"].flatMap { DecimalSeconds.time($0) }.map { FrameRate(numerator: $0.ticks, denominator: Int64($0.timescale)) },
                videoRange: list["VIDEO-RANGE"], hdcpLevel: list["HDCP-LEVEL"], audioGroup: list["AUDIO"], subtitleGroup: list["SUBTITLES"],
                closedCaptions: captions.map { value in
                    if case .quoted(let group) = value { return .group(group) }
                    return ClosedCaptions.none
                },
                uri: uri)
        }
    }

    package var version: Int
    package var isIndependent: Bool
    package var renditions: [Rendition]
    package var variants: [Variant]

    package init(version: Int, isIndependent: Bool, renditions: [Rendition], variants: [Variant]) {
        self.version = version
        self.isIndependent = isIndependent
        self.renditions = renditions
        self.variants = variants
    }

    package func serialized() -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)"]
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        for rendition in renditions { lines.append("#EXT-X-MEDIA:" + rendition.attributes.serialized()) }
        for variant in variants {
            lines.append("#EXT-X-STREAM-INF:" + variant.attributes.serialized())
            lines.append(variant.uri)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads a multivariant playlist. Tags and attributes not modelled here are passed over.
    package init(parsing text: String) throws(PlaylistError) {
        self.init(version: 1, isIndependent: false, renditions: [], variants: [])
        var pending: (list: AttributeList, line: Int)?
        for (at, raw) in text.playlistLines.enumerated() {
            let line = at + 1
            let content = raw.trimmingSpaces
            if line == 1 {
                guard content == "#EXTM3U" else { throw PlaylistError(line: 1, "a playlist begins with #EXTM3U (RFC 8216 §4.3.1.1)") }
            } else if content.hasPrefix("#EXT-X-VERSION:") {
                version = Int(content.dropFirst(15)) ?? 1
            } else if content == "#EXT-X-INDEPENDENT-SEGMENTS" {
                isIndependent = true
            } else if content.hasPrefix("#EXT-X-MEDIA:") {
                guard let rendition = Rendition(AttributeList(parsing: content.dropFirst(13))) else {
                    throw PlaylistError(line: line, "EXT-X-MEDIA without TYPE, GROUP-ID or NAME (RFC 8216 §4.3.4.1)")
                }
                renditions.append(rendition)
            } else if content.hasPrefix("#EXT-X-STREAM-INF:") {
                pending = (AttributeList(parsing: content.dropFirst(18)), line)
            } else if !content.isEmpty, !content.hasPrefix("#") {
                guard let held = pending else { continue }
                guard let variant = Variant(held.list, uri: String(content)) else {
                    throw PlaylistError(line: held.line, "EXT-X-STREAM-INF without BANDWIDTH (RFC 8216 §4.3.4.2)")
                }
                variants.append(variant)
                pending = nil
            }
        }
        if let pending { throw PlaylistError(line: pending.line, "EXT-X-STREAM-INF without a URI") }
    }
}
