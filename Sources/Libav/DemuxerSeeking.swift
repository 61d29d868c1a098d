internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension Demuxer {
    /// Moves to a keyframe of the stream near `timestamp` (its time base): the last at or before it when `backward`, else
    /// the first at or after it. Forgets what was read ahead, and a failure of the input.
    ///
    /// - Throws: ``LibavError`` with operation "seek"; `.unsupported` on an input that only reads forward.
    package func seek(streamIndex: Int, timestamp: Int64, backward: Bool) throws(LibavError) {
        guard stream(at: streamIndex) != nil else { throw LibavError(errno: EINVAL, operation: "seek") }
        try seek(Int32(streamIndex), timestamp, backward ? AVSEEK_FLAG_BACKWARD : 0)
    }

    /// Moves to a byte offset, for containers that can be entered at any packet (MPEG-TS). Forgets what was read ahead.
    ///
    /// - Throws: ``LibavError`` with operation "seek"; `.unsupported` on an input that only reads forward.
    package func seek(toByte position: Int64) throws(LibavError) {
        try seek(-1, position, AVSEEK_FLAG_BYTE)
    }

    /// Tells the demuxer where keyframes lie that its container does not list, so that its seeks go there at once.
    ///
    /// An entry without the keyframe flag, later than all, closes the list: demuxers that build their index while reading (Matroska,
    /// and libav's generic seek) take the last entry for the edge of what is known, and read on from it to the end.
    package func addIndexEntries(_ entries: [IndexEntry], streamIndex: Int) {
        guard let stream = stream(at: streamIndex), let last = entries.last else { return }
        for entry in entries {
            av_add_index_entry(stream, entry.position, entry.timestamp, Int32(clamping: entry.byteCount), 0, entry.isKeyframe ? AVINDEX_KEYFRAME : 0)
        }
        av_add_index_entry(stream, last.position, .max / 4, 0, 0, 0)
    }

    /// Moves back to the first packet of the source, of every stream.
    ///
    /// Containers with time discontinuities (MPEG-TS) and bare elementary streams, which have no times to seek to, are moved by byte.
    /// Others are moved by the stream that starts first,
    /// because Matroska drops every packet earlier than the entry it lands on and MP4 aligns the other streams to it.
    package func seekToStart() throws(LibavError) {
        try checkInterruption("seek")
        guard isSeekable else { throw LibavError(errno: ESPIPE, operation: "seek") }
        let flags = context.pointee.iformat?.pointee.flags ?? 0
        let isTimeless = flags & AVFMT_GENERIC_INDEX != 0 && context.pointee.start_time == PRISM_NOPTS_VALUE
        if flags & AVFMT_TS_DISCONT != 0 || isTimeless, flags & AVFMT_NO_BYTE_SEEK == 0, context.pointee.pb != nil {
            return try seek(-1, 0, AVSEEK_FLAG_BYTE)
        }
        if let (index, timestamp) = earliestEntry() {
            do throws(LibavError) { return try seek(index, timestamp, AVSEEK_FLAG_BACKWARD) } catch {
                if interrupter.interruption != nil { throw error }
            }
        }
        let start = context.pointee.start_time == PRISM_NOPTS_VALUE ? 0 : context.pointee.start_time
        try seek(-1, start, AVSEEK_FLAG_BACKWARD)
    }

    /// Makes the container read an index it keeps aside, then returns to the start. Matroska with its Cues behind the
    /// clusters reads them at the first seek and not before: ``indexEntries(streamIndex:)`` is nearly empty until then.
    /// MP4 has its whole index from opening; there this only returns to the start.
    ///
    /// - Throws: ``LibavError`` with operation "load index"; `.unsupported` on an input that only reads forward.
    package func loadIndex(streamIndex: Int) throws(LibavError) {
        guard stream(at: streamIndex) != nil else { throw LibavError(errno: EINVAL, operation: "load index") }
        do throws(LibavError) {
            try seekToStart()
        } catch {
            throw LibavError(code: error.code, operation: "load index", interrupter: interrupter)
        }
    }

    /// The stream's index as far as it is known, in time order.
    package func indexEntries(streamIndex: Int) -> [IndexEntry] {
        guard let stream = stream(at: streamIndex) else { return [] }
        let count = avformat_index_get_entries_count(stream)
        var entries: [IndexEntry] = []
        entries.reserveCapacity(Int(max(0, count)))
        for index in 0..<max(0, count) {
            guard let entry = avformat_index_get_entry(stream, index)?.pointee else { break }
            entries.append(
                IndexEntry(
                    timestamp: entry.timestamp, position: entry.pos, byteCount: Int(entry.size),
                    isKeyframe: entry.flags & AVINDEX_KEYFRAME != 0, isDiscard: entry.flags & AVINDEX_DISCARD_FRAME != 0))
        }
        return entries
    }

    /// How many samples of the stream an edit list hides, and how many it leaves to be shown, as far as the index is known.
    package func countHiddenEntries(streamIndex: Int) -> (hidden: Int, shown: Int) {
        guard let stream = stream(at: streamIndex) else { return (0, 0) }
        var counts = (hidden: 0, shown: 0)
        for index in 0..<max(0, avformat_index_get_entries_count(stream)) {
            guard let entry = avformat_index_get_entry(stream, index)?.pointee else { break }
            if entry.flags & AVINDEX_DISCARD_FRAME != 0 { counts.hidden += 1 } else { counts.shown += 1 }
        }
        return counts
    }

    private func seek(_ index: Int32, _ timestamp: Int64, _ flags: Int32) throws(LibavError) {
        try checkInterruption("seek")
        guard isSeekable else { throw LibavError(errno: ESPIPE, operation: "seek") }
        hasSought = true
        // Sticky in libav: left in place, one failed read would condemn every packet after the seek.
        context.pointee.pb?.pointee.error = 0
        let result = av_seek_frame(context, index, timestamp, flags)
        guard result >= 0 else { throw failure(result, "seek") }
        try checkInterruption("seek")
        try checkInput("seek")
    }

    /// The stream whose index begins first, and a time safely before it in that stream's time base.
    private func earliestEntry() -> (Int32, Int64)? {
        var best: (index: Int32, timestamp: Int64, base: AVRational)?
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = stream(at: index), stream.pointee.discard.rawValue < AVDISCARD_ALL.rawValue,
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                let entry = avformat_index_get_entry(stream, 0)?.pointee
            else { continue }
            let base = stream.pointee.time_base
            if let best, av_compare_ts(entry.timestamp, base, best.timestamp, best.base) >= 0 { continue }
            best = (Int32(index), entry.timestamp, base)
        }
        guard let best else { return nil }
        let margin = best.base.num > 0 ? Int64(best.base.den) * 10 / Int64(best.base.num) : 0
        return (best.index, best.timestamp.subtractingReportingOverflow(margin).partialValue)
    }
}
