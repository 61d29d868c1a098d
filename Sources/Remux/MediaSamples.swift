package import BitsAndTime
internal import Bitstreams

/// One coded picture in decode order, ready to be written: framed as the sample entry says.
package struct VideoSample: Sendable {
    /// Presentation time, source axis, in ticks of the rendition's timescale.
    package let pts: Int64
    package let timescale: Int32
    /// The container's own times in the plan's ticks, for matching against an index.
    package let sourcePTS: Int64?
    package let sourceDTS: Int64?
    /// What the container says this picture lasts; 0 when it does not.
    package let durationTicks: Int64
    /// Whether decoding can start here: the container's flag, confirmed by the bitstream.
    package let isSync: Bool
    /// To be decoded and not shown: an edit list leaves it out, and others refer to it.
    package let isHidden: Bool
    package let payload: any SamplePayload
    /// Where another configuration of the codec is in force from here on: what became of it.
    package let change: ParameterSetWatch.Change?
    /// The configuration to read the picture's place in presentation from, where the container gives no presentation time and `pts` is its
    /// decode time.
    package let orderSource: PictureOrderSource?

    package init(
        pts: Int64, timescale: Int32, sourcePTS: Int64?, sourceDTS: Int64?, durationTicks: Int64, isSync: Bool, isHidden: Bool = false,
        payload: any SamplePayload, orderSource: PictureOrderSource? = nil, change: ParameterSetWatch.Change? = nil
    ) {
        self.change = change
        self.orderSource = orderSource
        self.pts = pts
        self.timescale = timescale
        self.sourcePTS = sourcePTS
        self.sourceDTS = sourceDTS
        self.durationTicks = durationTicks
        self.isSync = isSync
        self.isHidden = isHidden
        self.payload = payload
    }

    package var presentation: MediaTime { MediaTime(ticks: pts, timescale: timescale) }
}

/// One coded audio frame, placed on the rendition's sample grid.
package struct AudioSample: Sendable {
    /// First sample of the frame, source presentation axis, in samples (the rendition's timescale is its sample rate).
    package let position: Int64
    /// Samples the frame decodes to, less what the container says to cut from its end.
    package let sampleCount: Int64
    package let payload: any SamplePayload

    package init(position: Int64, sampleCount: Int64, payload: any SamplePayload) {
        self.position = position
        self.sampleCount = sampleCount
        self.payload = payload
    }
}

/// A sample's bytes: the packet's own, or their place in the source file, while nothing had to change; else a rewritten copy.
package protocol SamplePayload: Sendable {
    var byteCount: Int { get }
    /// Where the bytes are, in order; mostly one place.
    var pieces: [FragmentContent.Piece] { get }
}

extension Array: SamplePayload where Element == UInt8 {
    package var byteCount: Int { count }
    package var pieces: [FragmentContent.Piece] { [.bytes(self)] }
}
