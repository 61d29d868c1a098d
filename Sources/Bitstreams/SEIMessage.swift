internal import BitsAndTime

/// One supplemental enhancement information message: what an encoder says beside the picture (ITU-T H.264 §7.3.2.3.1, H.265 §7.3.5).
package struct SEIMessage: Sendable, Equatable {
    /// payloadType of the messages that are read here; H.264 and H.265 number them alike (H.264 Annex D, H.265 Annex D).
    package enum PayloadType {
        package static let registeredUserData = 4
        package static let masteringDisplayColourVolume = 137
        package static let contentLightLevel = 144
        package static let alternativeTransferCharacteristics = 147
    }

    package var payloadType: Int
    /// Without emulation-prevention bytes.
    package var payload: [UInt8]

    package init(payloadType: Int, payload: [UInt8]) {
        self.payloadType = payloadType
        self.payload = payload
    }

    /// Whether a NAL unit that begins with this byte holds such messages: prefix and suffix units in H.265.
    static func isSEI(_ first: UInt8, codec: RandomAccess.Codec) -> Bool {
        codec == .avc ? first & 0x1F == 6 : [39, 40].contains(first >> 1 & 0x3F)
    }

    /// Most messages of one unit that are looked at: more is no encoder's doing.
    private static let messageLimit = 256

    /// The messages of an SEI NAL unit.
    ///
    /// - Parameters:
    ///   - unit: The NAL unit, header included.
    ///   - headerByteCount: 1 in H.264, 2 in H.265.
    ///   - needsStopBit: Whether a unit without its trailing bits says nothing: writers of captions forget them.
    /// - Returns: The messages up to the first that overruns the unit, and whether all of it was read.
    package static func messages(in unit: ArraySlice<UInt8>, headerByteCount: Int, needsStopBit: Bool = true) -> (messages: [SEIMessage], isWhole: Bool) {
        var payload = RBSP.removingEmulationPrevention(unit.dropFirst(headerByteCount))
        while payload.last == 0 { payload.removeLast() }
        // Messages are whole bytes, so rbsp_trailing_bits is this byte.
        guard payload.last == 0x80 || !needsStopBit else { return ([], false) }
        if payload.last == 0x80 { payload.removeLast() }
        var reader = ByteReader(payload, context: "sei_message")
        var messages: [SEIMessage] = []
        do throws(ParseError) {
            while !reader.isAtEnd {
                guard messages.count < messageLimit else { return (messages, false) }
                let type = try readExtended(&reader)
                messages.append(SEIMessage(payloadType: type, payload: Array(try reader.readBytes(try readExtended(&reader)))))
            }
            return (messages, !messages.isEmpty)
        } catch {
            return (messages, false)
        }
    }

    /// An SEI NAL unit of the messages, emulation prevention put in.
    ///
    /// - Parameter header: The NAL unit's own header: `06`, or `4E 01` for a prefix unit of H.265.
    package static func unit(header: [UInt8], messages: [SEIMessage]) -> [UInt8] {
        var writer = ByteWriter()
        for message in messages {
            writeExtended(message.payloadType, to: &writer)
            writeExtended(message.payload.count, to: &writer)
            writer.write(contentsOf: message.payload)
        }
        writer.write(0x80 as UInt8)
        return header + RBSP.insertingEmulationPrevention(writer.bytes[...])
    }

    /// A number as a run of FF bytes and the rest.
    private static func readExtended(_ reader: inout ByteReader) throws(ParseError) -> Int {
        var value = 0
        while true {
            let byte = try reader.readUInt8()
            value += Int(byte)
            if byte != 0xFF { return value }
        }
    }

    private static func writeExtended(_ value: Int, to writer: inout ByteWriter) {
        var left = max(0, value)
        while left >= 0xFF {
            writer.write(0xFF as UInt8)
            left -= 0xFF
        }
        writer.write(UInt8(left))
    }
}
