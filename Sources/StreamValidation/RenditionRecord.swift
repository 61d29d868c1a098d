internal import BitsAndTime
internal import Foundation

/// A media playlist of the presentation and what was read through it.
struct RenditionRecord: Sendable {
    enum Role: Sendable, Equatable {
        /// Named by a variant; a media playlist that was given by itself is one too.
        case main
        case audio, video, subtitles
        case framesOnly

        var isText: Bool { self == .subtitles }
    }

    struct SegmentRecord: Sendable {
        /// Media sequence number.
        let number: Int
        let uri: String
        /// Sum of the durations listed before, since the first reading of the playlist.
        let listedStart: MediaTime
        let duration: MediaTime
        /// Discontinuities before it.
        let epoch: Int
        let map: Int?
        /// `nil` where it was not fetched.
        var byteCount: Int?
        /// `nil` where there are no fragments to look at.
        var facts: SegmentFacts?
    }

    /// What findings name it.
    let part: String
    let role: Role
    /// As the multivariant playlist writes it.
    let name: String
    let url: URL
    /// The EXT-X-MEDIA tag that names it.
    let media: MultivariantModel.Media?
    /// Positions of the variants that name it as their own.
    var variants: [Int]

    var model: MediaPlaylistModel
    var segments: [SegmentRecord] = []
    /// Init segments by number of the map in the order they came up.
    var initializations: [InitializationFacts?] = []
    var mapKeys: [String] = []
    /// Segments listed and not yet fetched: position in ``segments``.
    var fetched = 0
    /// Something in it is not fragmented MP4 or WebVTT, or encrypted whole.
    var isOpaque = false
    private var listedEnd = MediaTime.zero
    private var epoch = 0
    private var nextNumber: Int?

    init(part: String, role: Role, name: String, url: URL, media: MultivariantModel.Media?, variants: [Int], model: MediaPlaylistModel) {
        self.part = part
        self.role = role
        self.name = name
        self.url = url
        self.media = media
        self.variants = variants
        self.model = model
        list(model)
    }

    /// Takes what a reading of the playlist lists and earlier ones did not.
    mutating func list(_ model: MediaPlaylistModel) {
        self.model = model
        for (index, segment) in model.segments.enumerated() {
            let number = model.mediaSequence + index
            if let nextNumber, number < nextNumber { continue }
            if segment.isDiscontinuity, nextNumber != nil { epoch += 1 }
            let duration = segment.duration ?? .zero
            let map = segment.map.map { model.maps[$0] }.map { mapNumber($0) }
            segments.append(
                SegmentRecord(number: number, uri: segment.uri, listedStart: listedEnd, duration: duration, epoch: epoch, map: map, byteCount: nil, facts: nil))
            listedEnd = listedEnd + duration
            nextNumber = number + 1
        }
    }

    private mutating func mapNumber(_ map: MediaPlaylistModel.Map) -> Int {
        let key = "\(map.uri) \(map.range.map { "\($0)" } ?? "")"
        if let known = mapKeys.firstIndex(of: key) { return known }
        mapKeys.append(key)
        return mapKeys.count - 1
    }

    /// The playlist's entry of a segment, while it is still listed.
    func entry(of record: SegmentRecord) -> MediaPlaylistModel.Segment? {
        let index = record.number - model.mediaSequence
        return model.segments.indices.contains(index) ? model.segments[index] : nil
    }

    /// Tracks of its first init segment.
    var tracks: [InitializationFacts.Track] { initializations.first.flatMap { $0 }?.tracks ?? [] }

    var videoTrack: InitializationFacts.Track? { tracks.first { $0.media == .video } }

    /// The kind of track that its timeline is read off.
    var leading: InitializationFacts.Media { videoTrack != nil ? .video : tracks.contains { $0.media == .audio } ? .audio : .other }
}
