package import Libav

/// What of the film's picture is known where its subtitles are placed.
package struct VideoFrame: Sendable, Hashable {
    /// Coded, in pixels.
    package let width, height: Int
    /// Width to height of one pixel.
    package let sampleAspect: Double
    /// The transfer characteristic is PQ (SMPTE ST 2084): HDR10, and Dolby Vision over it.
    package let isPQ: Bool

    /// - Returns: `nil` without a size.
    package init?(width: Int, height: Int, sampleAspect: Ratio? = nil, isPQ: Bool = false) {
        guard width > 0, height > 0 else { return nil }
        (self.width, self.height, self.isPQ) = (width, height, isPQ)
        self.sampleAspect = sampleAspect.map { $0.numerator > 0 && $0.denominator > 0 ? Double($0.numerator) / Double($0.denominator) : 1 } ?? 1
    }

    package init?(_ stream: StreamInfo) {
        // 16: SMPTE ST 2084 (ISO/IEC 23091-2, table 3).
        self.init(width: stream.width, height: stream.height, sampleAspect: stream.sampleAspectRatio, isPQ: stream.transferCharacteristics == 16)
    }
}

/// The area pictures of a stream lie on, and which part of the film's frame it covers. Its middle is the frame's middle.
package struct PictureCanvas: Sendable, Hashable {
    /// What positions and sizes of objects count in.
    package let width, height: Int
    /// In pixels of the coded frame. Higher than the frame where the film's black bars were cut off.
    package let coveredWidth, coveredHeight: Double

    package init(width: Int, height: Int, coveredWidth: Double, coveredHeight: Double) {
        (self.width, self.height) = (width, height)
        (self.coveredWidth, self.coveredHeight) = (coveredWidth, coveredHeight)
    }

    /// - Parameters:
    ///   - coded: What the stream says, zero where it does not.
    ///   - video: `nil`: the canvas is the frame.
    package init(_ codec: CodecID, coded: (width: Int, height: Int), video: VideoFrame?) {
        let plane: (width: Int, height: Int)
        switch codec {
        // EN 300 743, clause 7.2.1: what a stream without a display definition is for.
        case .dvbSubtitle: plane = coded.width > 0 && coded.height > 0 ? coded : (720, 576)
        // Counts in the pixels of its film.
        case .xsub: plane = video.map { ($0.width, $0.height) } ?? coded
        default: plane = coded.width > 0 && coded.height > 0 ? coded : video.map { ($0.width, $0.height) } ?? coded
        }
        (width, height) = plane
        guard let video else {
            (coveredWidth, coveredHeight) = (Double(plane.width), Double(plane.height))
            return
        }
        coveredWidth = Double(video.width)
        switch codec {
        case .dvbSubtitle, .xsub: coveredHeight = Double(video.height)
        case .dvdSubtitle:
            // The plane is the disc's 4:3 or 16:9 frame, its pixels whatever shape that takes. A film that is wider was cut out of 16:9.
            let wide = Double(video.width) * video.sampleAspect * 9 / 16
            coveredHeight = wide > Double(video.height) * 1.01 ? wide : Double(video.height)
        default:
            // Square pixels as wide as the frame.
            coveredHeight = plane.width > 0 ? Double(plane.height) * Double(video.width) / Double(plane.width) : Double(video.height)
        }
    }

    /// A point of the canvas on the coded frame, 0…1 from its left and top; outside that where it lies on bars that were cut off.
    package func place(x: Double, y: Double, on video: VideoFrame?) -> (x: Double, y: Double) {
        guard width > 0, height > 0 else { return (0.5, 0.5) }
        let (across, down) = (x / Double(width), y / Double(height))
        guard let video else { return (across, down) }
        return (0.5 + (across - 0.5) * coveredWidth / Double(video.width), 0.5 + (down - 0.5) * coveredHeight / Double(video.height))
    }
}
