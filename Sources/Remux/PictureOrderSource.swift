internal import Bitstreams

/// How to read the order of pictures out of a track's samples, where its container has no presentation times (AVI, bare elementary streams).
package struct PictureOrderSource: Sendable {
    /// Reads pictures in decode order.
    enum Reader: Sendable {
        case avc(AVCPictureOrder)
        case hevc(HEVCPictureOrder)

        /// A number that rises with presentation; `nil` for a sample that cannot be read.
        mutating func order(of sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> Int64? {
            switch self {
            case .avc(var order):
                defer { self = .avc(order) }
                return order.order(of: sample, framing: framing)
            case .hevc(var order):
                defer { self = .hevc(order) }
                return order.order(of: sample, framing: framing)
            }
        }
    }

    /// As it is before a segment's first picture.
    let reader: Reader
    /// How units lie in the samples as they are served.
    let framing: NALUnitFraming
    /// How long after its decode time the first picture is shown, in rendition ticks: the codec's reordering depth, as libavcodec takes it too.
    let delay: Int64
}
