package import BitsAndTime
package import Libav
package import SubtitlePictures

/// Decodes one stream of pictures of words into cues.
///
/// **Where decoding may begin anew.** Anywhere: sets that build on earlier ones are held back until a self-contained one comes, and
/// ``needsEarlier`` says so. The cues that start at or after place P are equal from any beginning if reading began at a self-contained set
/// (PGS: epoch start or acquisition point; DVB: mode change or acquisition point; DVD and XSUB: any packet) at or before P. The cue that
/// is on the screen at P is equal, too, if reading began at or before its start: `isStartCertain` of the first cue says when it did not.
///
/// Presentation Graphics are decoded here, not by libavcodec, which ignores crops, brings palettes to RGB before anyone can take them as PQ, and keeps what
/// it had before a seek. The other three are libavcodec's.
///
/// Owned by one thread at a time.
package final class PictureTrackDecoder {
    package struct Statistics: Sendable, Hashable {
        package var packets = 0
        /// Packets and sets something was wrong with; what could be shown of them was.
        package var damaged = 0
        /// Sets that were passed over since what they build on was not read.
        package var heldBack = 0
        package var cues = 0
        /// Sets that another of the same instant took from the screen before anyone could see them.
        package var unseen = 0
        /// Packets that have no time and can say nothing.
        package var withoutTime = 0
    }

    package private(set) var statistics = Statistics()
    /// What was wrong, the latest last, 32 at most.
    package private(set) var findings: [PGSFinding] = []
    /// The first sets decoded built on ones that were not: reading should begin earlier, if the source has anything there.
    package private(set) var needsEarlier = false

    private let codec: CodecID
    private let parameters: CodecParameters?
    private let video: VideoFrame?
    private var timeline = PictureTimeline()
    private var assembler = PGSAssembler()
    private var scenes = PGSDecoder()
    private var libav: SubtitleDecoder?
    private var unitTime: MediaTime?
    /// What is on the screen is what it would be had decoding begun at the head: false after a beginning elsewhere, and after sets that were held back.
    private var isScreenKnown: Bool
    /// A self-contained set was seen since then, or nothing comes before.
    private var isAnchored: Bool

    /// A stream of Presentation Graphics.
    package init(graphicsOn video: VideoFrame? = nil, atHead: Bool = true) {
        (codec, parameters, self.video) = (.pgs, nil, video)
        (isAnchored, isScreenKnown) = (atHead, atHead)
    }

    /// - Parameters:
    ///   - video: The film's picture, for what positions mean and colours are.
    ///   - atHead: The first packet will be the stream's first: there is nothing earlier that it could build on.
    /// - Throws: ``LibavError`` with operation "open decoder"; `.unsupported` when the build has no decoder for the stream.
    package init(_ parameters: CodecParameters, codec: CodecID, video: VideoFrame?, atHead: Bool = true) throws(LibavError) {
        (self.codec, self.parameters, self.video) = (codec, parameters, video)
        (isAnchored, isScreenKnown) = (atHead, atHead)
        if codec != .pgs { libav = try SubtitleDecoder(parameters) }
    }

    /// When what is on the screen after the packets so far began; `nil` for an empty screen.
    package var openStart: MediaTime? { timeline.openStart }

    /// The next packet in the stream's order.
    ///
    /// - Parameter presentation: Its time, on whatever axis cues shall be; `nil` where the container has none.
    /// - Returns: The cues it ends.
    package func decode(_ packet: Packet, presentation: MediaTime?) -> [PictureCue] {
        if codec == .pgs { return decode(graphics: packet.bytes[...], presentation: presentation) }
        statistics.packets += 1
        // A unit in several packets has the time of its first.
        unitTime = presentation ?? unitTime
        guard let time = unitTime else {
            statistics.withoutTime += 1
            return []
        }
        guard codec == .dvbSubtitle else { return decode(packet, at: time, repeats: false, isStartCertain: true) }
        let segments = Self.segments(of: packet)
        let page = DVBPage(packet: segments.bytes[...])
        guard isAnchored || (page?.state ?? .normal) != .normal else {
            statistics.heldBack += 1
            isScreenKnown = page?.isEmpty == true
            if !isScreenKnown { needsEarlier = true }
            return counted(timeline.show([], on: canvas(), from: time))
        }
        let isCertain = isScreenKnown || page?.state != .acquisitionPoint
        (isAnchored, isScreenKnown) = (true, true)
        return decode(segments, at: time, repeats: page?.state != .modeChange, isStartCertain: isCertain)
    }

    private func decode(_ packet: Packet, at time: MediaTime, repeats: Bool, isStartCertain: Bool) -> [PictureCue] {
        do throws(LibavError) {
            guard let subtitle = try libav?.decode(packet) else { return [] }
            unitTime = nil
            return counted(show(subtitle, at: time, isStartCertain: isStartCertain, repeats: repeats))
        } catch {
            statistics.damaged += 1
            unitTime = nil
            return ended(byDamageAt: time)
        }
    }

    /// What is damaged ends what was shown before it, not what came with it.
    private func ended(byDamageAt time: MediaTime) -> [PictureCue] {
        guard let start = timeline.openStart, start < time else { return [] }
        return counted(timeline.show([], on: canvas(), from: time))
    }

    /// The same for bytes of a Presentation Graphics stream: segments as Matroska, transport streams and `.sup` files hold them.
    package func decode(graphics bytes: ArraySlice<UInt8>, presentation: MediaTime?) -> [PictureCue] {
        statistics.packets += 1
        return assembler.add(bytes, presentation: presentation).flatMap { decode($0) }
    }

    /// All packets of the stream before `time` were handed over, with no gap since the first.
    package func advance(to time: MediaTime) -> [PictureCue] { counted(timeline.advance(to: time)) }

    /// What comes next does not follow what came: a seek, a hole. The cue left open, if any, has an assumed end of ``PictureTimeline/longestSpan`` at most.
    ///
    /// - Parameter atHead: What comes next is the stream's first packet.
    package func interrupt(atHead: Bool = false) -> [PictureCue] {
        let cues = counted(timeline.interrupt())
        assembler = PGSAssembler()
        scenes.reset()
        // libavcodec's DVB decoder keeps its pages through a flush.
        if let parameters, codec != .pgs, let fresh = try? SubtitleDecoder(parameters) { libav = fresh } else { libav?.flush() }
        (isScreenKnown, isAnchored, needsEarlier, unitTime) = (atHead, atHead, false, nil)
        return cues
    }

    /// The stream has ended.
    ///
    /// - Parameter time: The film's end, where it is known.
    package func finish(at time: MediaTime? = nil) -> [PictureCue] {
        let last = assembler.finish().map { decode($0) } ?? []
        return last + counted(timeline.finish(at: time))
    }

    // MARK: Presentation Graphics

    private func decode(_ displaySet: PGSDisplaySet) -> [PictureCue] {
        let scene = scenes.decode(displaySet)
        if !scene.findings.isEmpty {
            statistics.damaged += 1
            findings = Array((findings + scene.findings).suffix(32))
        }
        guard let time = scene.presentation else {
            statistics.withoutTime += 1
            return []
        }
        guard let composition = displaySet.composition else { return ended(byDamageAt: time) }
        if scene.isSelfContained { isAnchored = true }
        // Before the first self-contained set nothing proves that a set looks as it would have from the head; a clear does.
        let isHeldBack = !isAnchored && !composition.objects.isEmpty
        // An acquisition point may say again what is shown.
        let isAcquisition = composition.state & 0xC0 == PGSComposition.acquisitionPoint
        let isCertain = isScreenKnown || !isAcquisition
        isScreenKnown = !isHeldBack
        if isHeldBack {
            needsEarlier = true
            statistics.heldBack += 1
        }
        let objects = isHeldBack ? [] : objects(of: scene)
        return counted(timeline.show(objects, on: canvas(scene), from: time, repeats: isAcquisition, isStartCertain: isCertain))
    }

    private func objects(of scene: PGSScene) -> [PictureObject] {
        // BT.601 for canvases of standard definition, as the video beside them.
        let matrix: CodedColour.Matrix = scene.canvasHeight <= 576 ? .bt601 : .bt709
        var palettes: [[CodedColour]: [UInt32]] = [:]
        return scene.pictures.map { picture in
            let palette = palettes[picture.palette] ?? picture.palette.map { video?.isPQ == true ? PQPalette.argb($0) : $0.argb(matrix) }
            palettes[picture.palette] = palette
            return PictureObject(
                x: picture.x, y: picture.y, width: picture.width, height: picture.height, pixels: picture.pixels, palette: palette, isForced: picture.isForced)
        }
    }

    private func canvas(_ scene: PGSScene) -> PictureCanvas {
        PictureCanvas(.pgs, coded: (scene.canvasWidth, scene.canvasHeight), video: video)
    }

    // MARK: The others

    private func show(_ subtitle: DecodedSubtitle, at time: MediaTime, isStartCertain: Bool, repeats: Bool) -> PictureCue? {
        let objects: [PictureObject] = subtitle.rectangles.compactMap {
            guard case .picture(let picture) = $0 else { return nil }
            return PictureObject(
                x: picture.x, y: picture.y, width: picture.width, height: picture.height, pixels: picture.pixels, palette: picture.palette,
                isForced: picture.isForced)
        }
        // XSUB's times are its own: before the packet's, they come as a difference below zero.
        func place(_ milliseconds: UInt32) -> MediaTime { time + MediaTime(ticks: Int64(Int32(bitPattern: milliseconds)), timescale: 1000) }
        let start = place(subtitle.begin)
        // Zero is no end: a subpicture without a stop command.
        let until = subtitle.end.flatMap { place($0) > start ? place($0) : nil }
        return timeline.show(objects, on: canvas(), from: start, until: until, repeats: repeats, isStartCertain: isStartCertain)
    }

    /// libavformat's parser takes the two bytes before a PES packet's segments off (data_identifier, subtitle_stream_id), but not where two packets
    /// of one time follow each other; libavcodec refuses those.
    private static func segments(of packet: Packet) -> Packet {
        let bytes = packet.bytes
        guard bytes.count > 3, bytes[0] == 0x20, bytes[2] == 0x0F else { return packet }
        return Packet(copying: Array(bytes[2...])) ?? packet
    }

    private func canvas() -> PictureCanvas { PictureCanvas(codec, coded: libav?.canvas ?? (0, 0), video: video) }

    private func counted(_ cue: PictureCue?) -> [PictureCue] {
        statistics.unseen = timeline.unseenCount
        guard let cue else { return [] }
        statistics.cues += 1
        return [cue]
    }
}
