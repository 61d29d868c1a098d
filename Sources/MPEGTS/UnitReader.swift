package import BitsAndTime

/// Reads the starts of one stream's units (PES packets) out of a transport stream, forward from any place.
package struct UnitReader {
    /// The start of a unit.
    package struct Unit: Sendable, Equatable {
        /// Of the sync byte of the packet that starts it.
        package let position: Int64
        package let header: PESHeader
    }

    /// Payload bytes looked at to see what a unit is; encoders' settings as text and captions stand before the picture.
    package static let frontByteCount = 16 << 10
    /// Bytes after which a stream without a sync byte counts as over.
    private static let resynchronisationByteCount: Int64 = 4 << 20

    private let window: ByteWindow
    private let framing: PacketFraming

    package init(window: ByteWindow, framing: PacketFraming) {
        self.window = window
        self.framing = framing
    }

    /// The first unit of `pid` that starts at or behind `position` and before `limit`; moves `position` behind its first packet, or to the end.
    ///
    /// - Parameter position: where a sync byte is due.
    package func next(_ pid: UInt16, from position: inout Int64, before limit: Int64) throws -> Unit? {
        while position < limit {
            let run = try window.run(at: position, atLeast: TransportPacket.byteCount)
            guard run.count >= TransportPacket.byteCount else {
                position = max(limit, position)
                return nil
            }
            var at = 0
            var isLost = false
            while at + TransportPacket.byteCount <= run.count, position + Int64(at) < limit {
                guard run[at] == TransportPacket.syncByte else {
                    isLost = true
                    break
                }
                // Most packets are others', or continue a unit: three bytes tell.
                if run[at + 1] & 0x5F == 0x40 | UInt8(truncatingIfNeeded: pid >> 8), run[at + 2] == UInt8(truncatingIfNeeded: pid) {
                    let start = position + Int64(at)
                    if let unit = try unit(at: start, packet: UnsafeRawBufferPointer(rebasing: run[at..<(at + TransportPacket.byteCount)]), pid: pid) {
                        position = start + Int64(framing.stride)
                        return unit
                    }
                    // The window may have moved.
                    at += framing.stride
                    position += Int64(at)
                    at = -1
                    break
                }
                at += framing.stride
            }
            if at < 0 { continue }
            position += Int64(at)
            if isLost {
                guard let found = try resynchronised(from: position + 1) else {
                    position = max(limit, position)
                    return nil
                }
                position = found
            }
        }
        return nil
    }

    /// The first payload bytes of the unit that starts at `position`, its header left out; at most ``frontByteCount``, and no more than
    /// `isEnough` asks for.
    package func front(of unit: Unit, pid: UInt16, isEnough: (ArraySlice<UInt8>) -> Bool) throws -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        var position = unit.position
        var isFirst = true
        while bytes.count < Self.frontByteCount + unit.header.byteCount {
            guard let packet = try packet(at: position) else { break }
            position += Int64(framing.stride)
            guard packet.header.pid == pid, !packet.header.hasError else { continue }
            if packet.header.startsUnit, !isFirst { break }
            isFirst = false
            let before = bytes.count
            bytes.append(contentsOf: packet.bytes[packet.header.payload])
            guard bytes.count > unit.header.byteCount else { continue }
            // Not after every packet: what does not begin within the first four seldom begins soon.
            if before / 736 != bytes.count / 736 || before == 0, isEnough(bytes[unit.header.byteCount...]) { break }
        }
        return bytes.dropFirst(unit.header.byteCount)
    }

    /// Where packets lie in step again; `nil` where none do for a long way.
    package func resynchronised(from start: Int64) throws -> Int64? {
        var offset = start
        let needed = 5
        while offset < min(window.byteCount, start + Self.resynchronisationByteCount) {
            let run = try window.run(at: offset, atLeast: framing.stride * needed)
            guard run.count >= TransportPacket.byteCount else { return nil }
            for i in 0...(run.count - TransportPacket.byteCount) where run[i] == TransportPacket.syncByte {
                let held = min(needed, (run.count - i - 1) / framing.stride + 1)
                guard held == needed || offset + Int64(run.count) >= window.byteCount else { break }
                if (0..<held).allSatisfy({ run[i + $0 * framing.stride] == TransportPacket.syncByte }) { return offset + Int64(i) }
            }
            if offset + Int64(run.count) >= window.byteCount { return nil }
            offset += Int64(max(1, run.count - framing.stride * needed))
        }
        return nil
    }

    /// A place at or near `offset` where packets begin.
    package func packetBoundary(near offset: Int64) throws -> Int64? {
        let due = framing.aligned(offset)
        let run = try window.run(at: due, atLeast: framing.stride * 3)
        guard run.count >= TransportPacket.byteCount else { return nil }
        let held = min(3, (run.count - 1) / framing.stride + 1)
        if (0..<held).allSatisfy({ run[$0 * framing.stride] == TransportPacket.syncByte }) { return due }
        return try resynchronised(from: due)
    }

    private func packet(at position: Int64) throws -> (header: TransportPacket, bytes: UnsafeRawBufferPointer)? {
        guard let bytes = try window.bytes(at: position, count: TransportPacket.byteCount), let header = TransportPacket(bytes) else { return nil }
        return (header, bytes)
    }

    private func unit(at position: Int64, packet bytes: UnsafeRawBufferPointer, pid: UInt16) throws -> Unit? {
        guard let packet = TransportPacket(bytes), !packet.hasError, !packet.isScrambled, !packet.payload.isEmpty else { return nil }
        if let header = PESHeader(bytes[packet.payload]) { return Unit(position: position, header: header) }
        guard packet.payload.count < PESHeader.readByteCount else { return nil }
        // A header that goes on in the next packet.
        var head = Array(bytes[packet.payload])
        var next = position + Int64(framing.stride)
        for _ in 0..<64 {
            guard let more = try self.packet(at: next) else { return nil }
            next += Int64(framing.stride)
            guard more.header.pid == pid, !more.header.hasError else { continue }
            if more.header.startsUnit { return nil }
            head.append(contentsOf: more.bytes[more.header.payload])
            if head.count >= PESHeader.readByteCount { break }
        }
        return PESHeader(head).map { Unit(position: position, header: $0) }
    }
}
