import BitsAndTime
import Matroska

/// Small Matroska files, element by element.
enum MatroskaFixture {
    static func element(_ id: ElementID, _ payload: [UInt8], sizeByteCount: Int = 1) -> [UInt8] {
        var writer = ByteWriter()
        ElementHeader(id: id, size: .known(Int64(payload.count)), sizeByteCount: sizeByteCount).serialize(into: &writer)
        writer.write(contentsOf: payload)
        return writer.bytes
    }

    static func unsized(_ id: ElementID, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        ElementHeader(id: id, size: .unknown, sizeByteCount: 8).serialize(into: &writer)
        writer.write(contentsOf: payload)
        return writer.bytes
    }

    static func integer(_ id: ElementID, _ value: UInt64, byteCount: Int = 8) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeInteger(value, byteCount: byteCount)
        return element(id, writer.bytes)
    }

    static let ebml = element(.ebml, element(.docType, Array("matroska".utf8)))
    static let info = element(.info, integer(.timestampScale, 1_000_000, byteCount: 3) + integer(.duration, (12_000.0).bitPattern))
    static let tracks = element(.tracks, [UInt8](repeating: 0xEC, count: 0) + element(.void, [UInt8](repeating: 0, count: 40)))

    static func seekHead(_ entries: [(ElementID, UInt64)]) -> [UInt8] {
        element(
            .seekHead,
            entries.flatMap { id, position in
                element(.seek, integer(.seekID, UInt64(id.rawValue), byteCount: 4) + integer(.seekPosition, position))
            })
    }

    static func cluster(at ticks: UInt64, payloadBytes: Int = 100) -> [UInt8] {
        element(.cluster, integer(.timestamp, ticks) + element(.void, [UInt8](repeating: 0, count: payloadBytes), sizeByteCount: 8), sizeByteCount: 8)
    }

    static func cues(_ points: [CuePoint]) -> [UInt8] {
        element(
            .cues,
            points.flatMap { point in
                element(
                    .cuePoint,
                    integer(.cueTime, UInt64(point.timeTicks))
                        + element(
                            .cueTrackPositions,
                            integer(.cueTrack, point.track, byteCount: 1) + integer(.cueClusterPosition, UInt64(point.clusterPosition))))
            }, sizeByteCount: 4)
    }

    static func reader(_ file: [UInt8]) -> (Int64, Int) -> [UInt8] {
        { offset, count in
            guard offset < Int64(file.count) else { return [] }
            return Array(file[Int(offset)..<min(file.count, Int(offset) + count)])
        }
    }
}

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
