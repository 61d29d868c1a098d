internal import Foundation

/// How resources came: types, compression, and whether pages elsewhere may read them (RFC 8216 §4, Apple's authoring rules 8.18 and 10).
enum DeliveryCheck {
    enum Resource { case playlist, media, text }

    static func check(_ fetched: Fetched, _ kind: Resource, asked: URL, name: String, into findings: inout Findings) {
        let place = Place(name)
        if fetched.url.absoluteString != asked.absoluteString, kind != .playlist, fetched.headers != nil {
            findings.add(.redirected, place, "the request was redirected")
        }
        guard let headers = fetched.headers else { return }
        let type = headers["content-type"].map { String($0.prefix { $0 != ";" }).lowercased().filter { $0 != " " } } ?? ""
        switch kind {
        case .playlist:
            let known = ["application/vnd.apple.mpegurl", "audio/mpegurl"].contains(type)
            if !known {
                let named = ["m3u8", "m3u"].contains(asked.pathExtension.lowercased())
                findings.add(named ? .playlistType : .playlistUnnamed, place, "Content-Type is \(type.isEmpty ? "missing" : type)")
            }
            if headers["content-encoding"] != "gzip" { findings.addOnce(.uncompressed, place, "the playlist came without gzip") }
        case .media:
            if !["video/mp4", "audio/mp4", "video/iso.segment", "application/mp4", "video/mp2t", "audio/aac", "audio/mpeg", "audio/ac3", "audio/eac3"].contains(type) {
                findings.add(.mediaType, place, "Content-Type is \(type.isEmpty ? "missing" : type)")
            }
        case .text:
            if !["text/vtt", "text/plain"].contains(type) { findings.add(.mediaType, place, "Content-Type is \(type.isEmpty ? "missing" : type)") }
        }
        if headers["access-control-allow-origin"] == nil { findings.addOnce(.crossOrigin, place, "no Access-Control-Allow-Origin") }
    }
}

extension Rule {
    static let unreachable = Rule(
        "delivery.unreachable", .must, "RFC 8216 §6.2.1, §6.2.2", fix: "Serve what the playlist lists, while it is listed and a while longer.")
    static let redirected = Rule("delivery.redirected", .should, "Apple HLS Authoring 8.18", fix: "List the address that answers.")
    static let playlistUnnamed = Rule("delivery.playlist-unnamed", .must, "RFC 8216 §4", fix: "Serve application/vnd.apple.mpegurl, or let the path end in .m3u8.")
    static let playlistType = Rule(
        "delivery.playlist-type", .should, "RFC 8216 §4, Apple HLS Authoring 10.4", fix: "Serve playlists as application/vnd.apple.mpegurl.")
    static let uncompressed = Rule("delivery.gzip", .note, "Apple HLS Authoring 10.1", fix: "Compress playlists for delivery over a network.")
    static let mediaType = Rule("delivery.media-type", .should, "Apple HLS Authoring 10.4", fix: "Serve video/mp4, audio/mp4 or text/vtt.")
    static let crossOrigin = Rule(
        "delivery.cross-origin", .note, "WHATWG Fetch §3.2 (CORS)", fix: "Send the header where players in pages of other origins are meant.")
}
