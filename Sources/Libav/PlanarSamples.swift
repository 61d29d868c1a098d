internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension Frame {
    /// Samples by channel, ±1 full scale; empty unless they are kept as planar floats.
    package func planarSamples() -> [[Float]] {
        guard storage.pointee.format == SampleFormat.planarFloat.rawValue, width == 0, let planes = storage.pointee.extended_data else { return [] }
        return (0..<channels).map { channel in
            guard let plane = planes[channel] else { return [] }
            return plane.withMemoryRebound(to: Float.self, capacity: sampleCount) { Array(UnsafeBufferPointer(start: $0, count: sampleCount)) }
        }
    }

    /// A frame of planar floats.
    ///
    /// - Parameter planes: As many as the layout has channels, all of one length.
    /// - Throws: ``LibavError`` with operation "shape".
    package static func planar(_ planes: [[Float]], sampleRate: Int32, layout: ChannelLayout) throws(LibavError) -> Frame {
        let count = planes.first?.count ?? 0
        guard count > 0, planes.count == layout.channelCount, planes.allSatisfy({ $0.count == count }) else { throw LibavError(errno: EINVAL, operation: "shape") }
        guard let frame = Frame(AudioFormat(sampleRate: sampleRate, layout: layout, sampleFormat: .planarFloat), sampleCount: count),
            let data = frame.storage.pointee.extended_data
        else { throw LibavError(errno: ENOMEM, operation: "shape") }
        for (channel, plane) in planes.enumerated() {
            guard let target = data[channel] else { throw LibavError(errno: ENOMEM, operation: "shape") }
            target.withMemoryRebound(to: Float.self, capacity: count) { target in
                plane.withUnsafeBufferPointer { source in
                    if let first = source.baseAddress { target.update(from: first, count: count) }
                }
            }
        }
        return frame
    }
}
