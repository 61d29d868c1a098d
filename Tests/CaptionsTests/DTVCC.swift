import BitsAndTime
@testable import Captions

/// A small encoder of CEA-708: codes into service blocks, those into packets, packets into triplets.
struct DTVCC {
    private var sequence: UInt8 = 0

    init() {}

    /// One packet with a block of these codes, in triplets.
    mutating func packet(_ codes: [[UInt8]], service: Int = 1) -> [CaptionTriplet] {
        let bytes = Array(codes.joined())
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 31) {
            let part = bytes[start..<min(start + 31, bytes.count)]
            blocks += service < 7 ? [UInt8(service) << 5 | UInt8(part.count)] : [0xE0 | UInt8(part.count), UInt8(service)]
            blocks += part
        }
        return packet(blocks: blocks)
    }

    mutating func packet(blocks: [UInt8]) -> [CaptionTriplet] {
        var bytes = [0] + blocks
        if bytes.count % 2 == 1 { bytes.append(0) }
        precondition(bytes.count <= 126)
        bytes[0] = sequence << 6 | UInt8(bytes.count / 2)
        sequence = (sequence + 1) & 3
        return Self.triplets(bytes)
    }

    static func triplets(_ packet: [UInt8]) -> [CaptionTriplet] {
        stride(from: 0, to: packet.count, by: 2).map { CaptionTriplet($0 == 0 ? .dtvccStart : .dtvccData, packet[$0], packet[$0 + 1]) }
    }

    // MARK: Codes

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func define(
        _ window: UInt8, visible: Bool = true, priority: UInt8 = 0, relative: Bool = false, vertical: UInt8 = 74, horizontal: UInt8 = 105,
        anchor: UInt8 = 7, rows: UInt8 = 2, columns: UInt8 = 32, style: UInt8 = 1, pen: UInt8 = 1
    ) -> [UInt8] {
        [
            0x98 | window, (visible ? 0x20 : 0) | priority, (relative ? 0x80 : 0) | vertical, horizontal, anchor << 4 | (rows - 1), columns - 1,
            style << 3 | pen,
        ]
    }

    static func setCurrent(_ window: UInt8) -> [UInt8] { [0x80 | window] }
    static func clear(_ map: UInt8) -> [UInt8] { [0x88, map] }
    static func display(_ map: UInt8) -> [UInt8] { [0x89, map] }
    static func hide(_ map: UInt8) -> [UInt8] { [0x8A, map] }
    static func toggle(_ map: UInt8) -> [UInt8] { [0x8B, map] }
    static func delete(_ map: UInt8) -> [UInt8] { [0x8C, map] }
    static func delay(_ tenths: UInt8) -> [UInt8] { [0x8D, tenths] }
    static let delayCancel: [UInt8] = [0x8E]
    static let reset: [UInt8] = [0x8F]
    static func penLocation(_ row: UInt8, _ column: UInt8) -> [UInt8] { [0x92, row, column] }
    static func penAttributes(italic: Bool = false, underline: Bool = false) -> [UInt8] { [0x90, 0x05, (italic ? 0x80 : 0) | (underline ? 0x40 : 0)] }
    static func penColour(_ foreground: UInt8) -> [UInt8] { [0x91, foreground, 0, 0] }
    /// Directions and justification as coded.
    static func windowAttributes(print: UInt8 = 0, scroll: UInt8 = 3, justify: UInt8 = 0) -> [UInt8] { [0x97, 0, 0, print << 4 | scroll << 2 | justify, 0] }
    static func unicode(_ unit: UInt16) -> [UInt8] { [0x18, UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    static let carriageReturn: [UInt8] = [0x0D]
}
