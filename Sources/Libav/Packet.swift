internal import CFFmpeg

/// One compressed packet. Times are in its stream's time base.
///
/// `@unchecked Sendable`: the reference it owns is never changed after the demuxer filled it.
package final class Packet: @unchecked Sendable {
    /// Filled once, by the room that made the packet.
    let storage: UnsafeMutablePointer<AVPacket>

    /// Nil when memory is out.
    init?() {
        guard let packet = av_packet_alloc() else { return nil }
        storage = packet
    }

    /// A packet of these bytes, without times; nil when memory is out.
    package convenience init?(copying bytes: [UInt8]) {
        self.init()
        guard av_new_packet(storage, Int32(clamping: bytes.count)) >= 0, let data = storage.pointee.data else { return nil }
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { data.update(from: base.assumingMemoryBound(to: UInt8.self), count: bytes.count) }
        }
    }

    /// A packet of other bytes with the times and side data of `original`; nil when memory is out.
    package convenience init?(copying bytes: [UInt8], propertiesOf original: Packet) {
        self.init(copying: bytes)
        guard av_packet_copy_props(storage, original.storage) >= 0 else { return nil }
        storage.pointee.stream_index = original.storage.pointee.stream_index
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = storage
        av_packet_free(&packet)
    }

    package var streamIndex: Int { Int(storage.pointee.stream_index) }
    /// Nil when the container does not say; Matroska has no decode times, and libav derives them late.
    package var pts: Int64? { storage.pointee.pts == PRISM_NOPTS_VALUE ? nil : storage.pointee.pts }
    package var dts: Int64? { storage.pointee.dts == PRISM_NOPTS_VALUE ? nil : storage.pointee.dts }
    /// 0 when unknown.
    package var durationTicks: Int64 { storage.pointee.duration }
    package var isKeyframe: Bool { storage.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// To be decoded and not shown: before an edit list's start, or pre-roll.
    package var isDiscard: Bool { storage.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The payload is encrypted: the container says how (ISO/IEC 23001-7), and it cannot be decoded as it is.
    package var isEncrypted: Bool { sideData(AV_PKT_DATA_ENCRYPTION_INFO) != nil }
    package var isCorrupt: Bool { storage.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Byte offset in the source, −1 when unknown.
    package var position: Int64 { storage.pointee.pos }
    package var byteCount: Int { Int(max(0, storage.pointee.size)) }

    /// The payload in place, valid during `body` only.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: storage.pointee.data, count: storage.pointee.data == nil ? 0 : byteCount))
    }

    /// A copy of the payload.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Decoded samples to drop from the front (codec delay) and from the end (padding) of this packet.
    package var skipSamplesStart: Int { skippedSamples(at: 0) }
    package var skipSamplesEnd: Int { skippedSamples(at: 4) }

    /// Codec configuration that replaces the stream's from this packet on.
    package var newExtradata: [UInt8]? {
        sideData(AV_PKT_DATA_NEW_EXTRADATA).map { Array($0) }
    }

    /// application_version of HDR10+ metadata (SMPTE ST 2094-40) the container carries beside the picture; nil for none.
    package var hdr10PlusApplicationVersion: UInt8? {
        guard let data = sideData(AV_PKT_DATA_DYNAMIC_HDR10_PLUS), data.count >= MemoryLayout<AVDynamicHDRPlus>.size else { return nil }
        return data.loadUnaligned(as: AVDynamicHDRPlus.self).application_version
    }

    /// What stood behind the times of a WebVTT cue, in UTF-8, not checked; nil for none.
    package var webVTTSettings: [UInt8]? { sideData(AV_PKT_DATA_WEBVTT_SETTINGS).map { Array($0) } }

    /// AV_PKT_DATA_SKIP_SAMPLES: two 32-bit little-endian counts, then two reasons.
    private func skippedSamples(at offset: Int) -> Int {
        guard let data = sideData(AV_PKT_DATA_SKIP_SAMPLES), data.count >= offset + 4 else { return 0 }
        return Int(UInt32(littleEndian: data.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    private func sideData(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
        var size = 0
        guard let data = prism_packet_side_data(storage, type, &size) else { return nil }
        return UnsafeRawBufferPointer(start: data, count: size)
    }
}
