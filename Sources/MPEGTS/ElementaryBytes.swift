/// The bytes of one elementary stream, taken out of a run of transport packets: what libavformat makes its packets of.
///
/// ISO/IEC 13818-1:2022 §2.4.3.2 (packets), §2.4.3.6 (what a PES header takes).
package enum ElementaryBytes {
    /// Copies the first `count` bytes of a stream, headers of its PES packets left out.
    ///
    /// - Parameters:
    ///   - raw: Transport packets, from a sync byte on; the first of this PID begins a PES packet.
    ///   - stride: From one sync byte to the next.
    ///   - output: Room for `count` bytes.
    /// - Returns: Bytes of `raw` that were needed, and how many were copied; `nil` where a sync byte is missing, a packet is damaged or
    ///   scrambled, or a PES header does not lie whole in its packet.
    package static func copy(
        from raw: UnsafeRawBufferPointer, stride: Int, pid: UInt16, into output: UnsafeMutableRawBufferPointer
    ) -> (consumed: Int, copied: Int)? {
        guard stride >= TransportPacket.byteCount, let target = output.baseAddress else { return nil }
        var at = 0
        var copied = 0
        var hasBegun = false
        while copied < output.count, raw.count - at >= TransportPacket.byteCount {
            let bytes = UnsafeRawBufferPointer(rebasing: raw[at..<at + TransportPacket.byteCount])
            at += min(stride, raw.count - at)
            // Most packets of a picture are its own and carry nothing but payload.
            guard let packet = TransportPacket(bytes) else { return nil }
            guard packet.pid == pid, !packet.payload.isEmpty else { continue }
            guard !packet.hasError, !packet.isScrambled else { return nil }
            var payload = packet.payload
            if packet.startsUnit {
                guard let header = PESHeader(bytes[payload]), header.byteCount <= payload.count else { return nil }
                payload = payload.lowerBound + header.byteCount..<payload.upperBound
                hasBegun = true
            }
            guard hasBegun else { return nil }
            let count = min(payload.count, output.count - copied)
            if count > 0, let base = bytes.baseAddress { (target + copied).copyMemory(from: base + payload.lowerBound, byteCount: count) }
            copied += count
        }
        return (at, copied)
    }
}
