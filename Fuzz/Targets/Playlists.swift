internal import BitsAndTime
internal import HLS

/// Playlists, attribute lists and decimals. What is written of a parsed one must read back and be written the same again.
@Sendable func fuzzPlaylist(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let media = accepted({ () throws(PlaylistError) in try MediaPlaylist(parsing: text) }) {
        let written = media.serialized()
        let again = accepted { () throws(PlaylistError) in try MediaPlaylist(parsing: written) }
        law("a media playlist reads as it was written", again?.serialized() == written)
        law("no segment is lost", again?.segments.map(\.uri) == media.segments.map(\.uri))
    }
    if let multivariant = accepted({ () throws(PlaylistError) in try MultivariantPlaylist(parsing: text) }) {
        let written = multivariant.serialized()
        let again = accepted { () throws(PlaylistError) in try MultivariantPlaylist(parsing: written) }
        law("a multivariant playlist reads as it was written", again?.serialized() == written)
        law("no variant is lost", again?.variants.map(\.uri) == multivariant.variants.map(\.uri))
        law("no rendition is lost", again?.renditions.count == multivariant.renditions.count)
    }
    let list = AttributeList(parsing: text)
    law("an attribute list reads as it was written", AttributeList(parsing: list.serialized()) == list)
    if let time = DecimalSeconds.time(text) {
        let written = DecimalSeconds.text(time)
        law("seconds read as they were written", DecimalSeconds.time(written).map(DecimalSeconds.text) == written)
    }
}
