/// An EBML element's identifier, its length marker included, as the tables of the standard print it.
///
/// RFC 9559 §5.1; RFC 8794 §5.
package struct ElementID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let ebml = ElementID(rawValue: 0x1A45_DFA3)
    package static let docType = ElementID(rawValue: 0x4282)
    package static let docTypeReadVersion = ElementID(rawValue: 0x4285)
    package static let void = ElementID(rawValue: 0xEC)
    package static let crc32 = ElementID(rawValue: 0xBF)

    package static let segment = ElementID(rawValue: 0x1853_8067)
    package static let seekHead = ElementID(rawValue: 0x114D_9B74)
    package static let seek = ElementID(rawValue: 0x4DBB)
    package static let seekID = ElementID(rawValue: 0x53AB)
    package static let seekPosition = ElementID(rawValue: 0x53AC)
    package static let info = ElementID(rawValue: 0x1549_A966)
    package static let timestampScale = ElementID(rawValue: 0x2A_D7B1)
    package static let duration = ElementID(rawValue: 0x4489)
    package static let tracks = ElementID(rawValue: 0x1654_AE6B)
    package static let chapters = ElementID(rawValue: 0x1043_A770)
    package static let tags = ElementID(rawValue: 0x1254_C367)
    package static let attachments = ElementID(rawValue: 0x1941_A469)
    package static let cluster = ElementID(rawValue: 0x1F43_B675)
    package static let timestamp = ElementID(rawValue: 0xE7)
    package static let simpleBlock = ElementID(rawValue: 0xA3)
    package static let blockGroup = ElementID(rawValue: 0xA0)
    package static let block = ElementID(rawValue: 0xA1)
    package static let blockDuration = ElementID(rawValue: 0x9B)
    package static let referenceBlock = ElementID(rawValue: 0xFB)
    package static let trackEntry = ElementID(rawValue: 0xAE)
    package static let trackNumber = ElementID(rawValue: 0xD7)
    package static let trackType = ElementID(rawValue: 0x83)
    package static let languageBCP47 = ElementID(rawValue: 0x22_B59D)
    package static let trackTimestampScale = ElementID(rawValue: 0x23_314F)
    package static let defaultDuration = ElementID(rawValue: 0x23_E383)
    package static let codecDelay = ElementID(rawValue: 0x56AA)
    package static let cues = ElementID(rawValue: 0x1C53_BB6B)
    package static let cuePoint = ElementID(rawValue: 0xBB)
    package static let cueTime = ElementID(rawValue: 0xB3)
    package static let cueTrackPositions = ElementID(rawValue: 0xB7)
    package static let cueTrack = ElementID(rawValue: 0xF7)
    package static let cueClusterPosition = ElementID(rawValue: 0xF1)
    package static let cueRelativePosition = ElementID(rawValue: 0xF0)

    package var description: String { "0x\(String(rawValue, radix: 16, uppercase: true))" }
}
