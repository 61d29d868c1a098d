package import BitsAndTime
internal import Bitstreams
package import Captions
package import Libav
package import Remux
internal import TimedText

/// Captions that travel with a stream's pictures, or in a track of their own, as cues.
package final class CaptionWords: PacketCues {
    /// Where a stream keeps them.
    package enum Carriage: Sendable {
        /// Messages beside the picture's slices.
        case pictures(TrackCodec, SampleFraming)
        /// QuickTime's `c608`, and the same as bare triplets.
        case track

        package func triplets(of packet: Packet) -> [CaptionTriplet] {
            switch self {
            case .pictures(let codec, let framing):
                packet.withUnsafeBytes { bytes in
                    PictureUserData.registered(in: bytes, codec: codec.family, framing: framing.nalUnitFraming(of: bytes, codec: codec.family))
                        .flatMap { CaptionUserData.triplets(countryCode: $0.countryCode, payload: $0.payload[...]) }
                }
            case .track:
                Self.track(packet.bytes)
            }
        }

        private static func track(_ bytes: [UInt8]) -> [CaptionTriplet] {
            let boxed = QuickTimeCaptionSample.triplets(bytes[...])
            return boxed.isEmpty ? CaptionData.triplets(raw: bytes[...]) : boxed
        }
    }

    private let channels: [CaptionChannel]
    private let carriage: Carriage
    private let base: TickBase
    private let isWide: Bool
    private var order = CaptionReorderBuffer()
    private var decoder: CaptionDecoder?
    private var isAtHead = true

    /// - Parameter channels: The tracks, in their order: one lane each.
    package init(_ channels: [CaptionChannel], carriage: Carriage, base: TickBase, isWide: Bool) {
        self.channels = channels
        self.carriage = carriage
        self.base = base
        self.isWide = isWide
    }

    package func begin(isAtHead: Bool) {
        self.isAtHead = isAtHead
        (order, decoder) = (CaptionReorderBuffer(), nil)
    }

    package func take(_ packet: Packet, nearby: MediaTime?) -> [PacketCue] {
        guard let presentation = packet.pts ?? packet.dts else { return [] }
        let given = order.take(presentationTime: base.time(presentation), decodeTime: packet.dts.map(base.time), triplets: carriage.triplets(of: packet))
        return decode(given)
    }

    package func finish() -> [PacketCue] {
        let last = order.flush()
        var cues = decode(last)
        cues += lanes(decoder?.flush(at: nil) ?? [])
        decoder = nil
        return cues
    }

    package var openSince: MediaTime? { decoder?.completeBefore }

    private func decode(_ pictures: [CaptionReorderBuffer.Picture]) -> [PacketCue] {
        var cues: [PacketCue] = []
        for picture in pictures {
            var current = decoder ?? CaptionDecoder(joiningAt: isAtHead ? nil : picture.presentationTime, isWide: isWide)
            cues += lanes(current.decode(picture.triplets, at: picture.presentationTime))
            decoder = current
        }
        return cues
    }

    private func lanes(_ captions: [Caption]) -> [PacketCue] {
        captions.compactMap { caption in channels.firstIndex(of: caption.channel).map { PacketCue(caption.cue, lane: $0) } }
    }
}

extension CaptionWords {
    /// The channels with text in a stream's first pictures. Line 21's where there is any: broadcasters send the services of CEA-708 beside it as
    /// the same words.
    ///
    /// Only a stream with room for captions in the packets that were read already is looked at further: others pay nothing.
    ///
    /// - Parameters:
    ///   - services: Offers the services all the same.
    package static func channels(of stream: Int, in reader: SourceReader, carriage: Carriage, services: Bool) throws(LibavError) -> [CaptionChannel] {
        let first = reader.head[stream] ?? []
        guard first.contains(where: { !carriage.triplets(of: $0).isEmpty }) else { return [] }
        try reader.readHead(video: stream, pictures: CaptionScout.pictureLimit)
        var scout = CaptionScout()
        // In the order they are shown in, as far as they go: pairs of letters make no sense otherwise.
        for packet in (reader.head[stream] ?? []).prefix(CaptionScout.pictureLimit).sorted(by: { ($0.pts ?? .min) < ($1.pts ?? .min) }) {
            scout.look(at: carriage.triplets(of: packet))
        }
        let line21 = scout.channels.filter { if case .cea608 = $0 { true } else { false } }
        return line21.isEmpty || services ? scout.channels : line21
    }
}
