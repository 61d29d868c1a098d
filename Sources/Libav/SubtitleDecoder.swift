internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What one packet of a subtitle stream came to.
package struct DecodedSubtitle: Sendable {
    package enum Rectangle: Sendable {
        /// An ASS event without its times: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text". libavcodec brings every text format
        /// to this form.
        case event(String)
        case text(String)
        case picture(IndexedPicture)
    }

    /// When it begins, in microseconds on the stream's own axis; `nil` where the packet has no time.
    package let presentation: Int64?
    /// Milliseconds from there to its begin and its end; an end of `nil` is "until replaced".
    package let begin: UInt32
    package let end: UInt32?
    /// None: what was shown is cleared.
    package let rectangles: [Rectangle]
}

/// A picture of palette entries: rows from the top, one byte a pixel, without padding.
package struct IndexedPicture: Sendable, Hashable {
    /// In pixels of the stream's own canvas.
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int
    package let pixels: [UInt8]
    /// 0xAARRGGBB, not multiplied by alpha; 256 at most.
    package let palette: [UInt32]
    package let isForced: Bool
}

/// Decodes one subtitle stream.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class SubtitleDecoder: @unchecked Sendable {
    /// Pixels of one picture at most: a 4K canvas.
    private static let pixelLimit = 1 << 24

    private let context: UnsafeMutablePointer<AVCodecContext>

    /// - Parameter options: Of the decoder's own, by libav's names; those it does not know are passed over.
    /// - Throws: ``LibavError`` with operation "open decoder"; `.unsupported` when the build has no decoder for the stream.
    package init(_ parameters: CodecParameters, options: [String: String] = [:]) throws(LibavError) {
        context = try DecoderContext.open(parameters, options: options)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// The canvas pictures lie on, in pixels; zero where the stream has not said.
    package var canvas: (width: Int, height: Int) { (Int(context.pointee.width), Int(context.pointee.height)) }

    /// The header all events go with (script info and styles), in ASS; empty for streams of pictures.
    package var header: String {
        guard let bytes = context.pointee.subtitle_header, context.pointee.subtitle_header_size > 0 else { return "" }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(context.pointee.subtitle_header_size)), as: UTF8.self)
    }

    /// - Returns: `nil` where the packet completes nothing.
    /// - Throws: ``LibavError`` with operation "decode subtitle": that packet is damaged, and decoding may go on.
    package func decode(_ packet: Packet) throws(LibavError) -> DecodedSubtitle? {
        var subtitle = AVSubtitle()
        var isComplete: Int32 = 0
        let result = avcodec_decode_subtitle2(context, &subtitle, &isComplete, packet.storage)
        defer { if isComplete != 0 { avsubtitle_free(&subtitle) } }
        guard result >= 0 else { throw LibavError(code: result, operation: "decode subtitle") }
        guard isComplete != 0 else { return nil }
        var rectangles: [DecodedSubtitle.Rectangle] = []
        for index in 0..<Int(subtitle.num_rects) {
            guard let rectangle = subtitle.rects?[index]?.pointee, let read = Self.read(rectangle) else { continue }
            rectangles.append(read)
        }
        return DecodedSubtitle(
            presentation: subtitle.pts == PRISM_NOPTS_VALUE ? nil : subtitle.pts, begin: subtitle.start_display_time,
            end: subtitle.end_display_time == .max ? nil : subtitle.end_display_time, rectangles: rectangles)
    }

    /// Forgets everything sent, as after a seek.
    package func flush() { avcodec_flush_buffers(context) }

    private static func read(_ rectangle: AVSubtitleRect) -> DecodedSubtitle.Rectangle? {
        switch rectangle.type {
        case SUBTITLE_ASS: return rectangle.ass.map { .event(String(cString: $0)) }
        case SUBTITLE_TEXT: return rectangle.text.map { .text(String(cString: $0)) }
        case SUBTITLE_BITMAP: return picture(rectangle).map { .picture($0) }
        default: return nil
        }
    }

    private static func picture(_ rectangle: AVSubtitleRect) -> IndexedPicture? {
        let (width, height, stride) = (Int(rectangle.w), Int(rectangle.h), Int(rectangle.linesize.0))
        guard width > 0, height > 0, stride >= width, width.multipliedReportingOverflow(by: height).partialValue <= pixelLimit, width <= 1 << 14, height <= 1 << 14,
            let rows = rectangle.data.0, let colours = rectangle.data.1
        else { return nil }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height { pixels += UnsafeBufferPointer(start: rows + row * stride, count: width) }
        let count = min(max(Int(rectangle.nb_colors), 0), 256)
        let palette = (0..<count).map { UnsafeRawPointer(colours).loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        // An index beyond the palette is no colour.
        return IndexedPicture(
            x: Int(rectangle.x), y: Int(rectangle.y), width: width, height: height, pixels: pixels, palette: palette,
            isForced: rectangle.flags & AV_SUBTITLE_FLAG_FORCED != 0)
    }
}
