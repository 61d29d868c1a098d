/// Matroska files of one text track, small enough to be written by hand: for compressions no tool at hand writes.
enum MatroskaFixture {
    static func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        // An eight-byte size is always right.
        id + [0x01] + (0..<7).reversed().map { UInt8(payload.count >> (8 * $0) & 0xFF) } + payload
    }

    static func number(_ id: [UInt8], _ value: Int) -> [UInt8] { element(id, [UInt8(value >> 24 & 0xFF), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]) }

    static func text(_ id: [UInt8], _ value: String) -> [UInt8] { element(id, Array(value.utf8)) }

    enum Compression { case none, zlib, stripped(header: [UInt8]) }

    struct Block {
        let start: Int
        let duration: Int?
        let payload: [UInt8]
    }

    static func file(codec: String, codecPrivate: [UInt8] = [], language: String = "eng", compression: Compression = .none, _ blocks: [Block]) -> [UInt8] {
        let head = element([0x1A, 0x45, 0xDF, 0xA3], text([0x42, 0x82], "matroska") + number([0x42, 0x87], 4) + number([0x42, 0x85], 2))
        let info = element([0x15, 0x49, 0xA9, 0x66], number([0x2A, 0xD7, 0xB1], 1_000_000) + text([0x4D, 0x80], "x") + text([0x57, 0x41], "x"))
        var encodings: [UInt8] = []
        switch compression {
        case .none: break
        case .zlib: encodings = number([0x42, 0x54], 0)
        case .stripped(let header): encodings = number([0x42, 0x54], 3) + element([0x42, 0x55], header)
        }
        if !encodings.isEmpty { encodings = element([0x6D, 0x80], element([0x62, 0x40], number([0x50, 0x31], 0) + number([0x50, 0x32], 1) + number([0x50, 0x33], 0) + element([0x50, 0x34], encodings))) }
        let entry = number([0xD7], 1) + number([0x73, 0xC5], 1) + number([0x83], 17) + text([0x86], codec) + text([0x22, 0xB5, 0x9C], language)
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], entry + (codecPrivate.isEmpty ? [] : element([0x63, 0xA2], codecPrivate)) + encodings))
        var clusters: [UInt8] = []
        for block in blocks {
            let stored: [UInt8] = switch compression {
            case .none: block.payload
            case .zlib: zlib(block.payload)
            case .stripped(let header): Array(block.payload.dropFirst(header.count))
            }
            let group = element([0xA1], [0x81, 0, 0, 0] + stored) + (block.duration.map { number([0x9B], $0) } ?? [])
            clusters += element([0x1F, 0x43, 0xB6, 0x75], number([0xE7], block.start) + element([0xA0], group))
        }
        return head + element([0x18, 0x53, 0x80, 0x67], info + tracks + clusters)
    }

    /// RFC 1950 around one stored block of RFC 1951.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        let count = UInt16(bytes.count)
        let sum = b << 16 | a
        return [0x78, 0x01, 0x01, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + bytes + (0..<4).reversed().map { UInt8(sum >> (8 * UInt32($0)) & 0xFF) }
    }
}
