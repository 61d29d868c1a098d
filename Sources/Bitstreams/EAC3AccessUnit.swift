package import BitsAndTime

/// One E-AC-3 access unit: the independent substreams of one stretch of time and the dependent ones behind each
/// (ETSI TS 102 366 V1.4.1 Annex E §E.1.3.1).
package struct EAC3AccessUnit: Sendable, Equatable {
    package struct Program: Sendable, Equatable {
        package var independent: AC3Syncframe
        package var dependents: [AC3Syncframe]
    }

    package var programs: [Program]
    package var byteCount: Int
    /// Audio blocks of 256 samples. Syncframes of fewer than six blocks stand several in an access unit.
    package var blockCount = 0

    /// Most blocks an access unit has (§F.1: a sample holds six blocks of each substream).
    private static let blockLimit = 6

    /// - Throws: `ParseError` when the bytes do not begin with an independent substream. Reading ends at a later frame that cannot be read.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        programs = []
        var repeats = false
        var at = 0
        while at + 6 <= bytes.count {
            let frame: AC3Syncframe
            do throws(ParseError) {
                frame = try AC3Syncframe(parsing: bytes[at...])
            } catch {
                if programs.isEmpty { throw error }
                break
            }
            if frame.streamType == .dependent {
                guard !programs.isEmpty else { throw ParseError(.malformed, at: at, in: "syncframe", "a dependent substream comes first") }
                if !repeats { programs[programs.count - 1].dependents.append(frame) }
            } else {
                let known = programs.firstIndex { $0.independent.substreamID == frame.substreamID && $0.independent.isEnhanced == frame.isEnhanced }
                repeats = known != nil
                // The first substream again: the next blocks of this access unit while it lacks some, else the next unit.
                if known ?? 0 == 0 {
                    if repeats, blockCount + frame.blockCount > Self.blockLimit { break }
                    if programs.isEmpty || repeats { blockCount += frame.blockCount }
                }
                if !repeats { programs.append(Program(independent: frame, dependents: [])) }
            }
            at += frame.frameByteCount
        }
        guard !programs.isEmpty else { throw ParseError(.truncated, at: 0, in: "syncframe", "\(bytes.count) bytes hold no frame") }
        byteCount = min(at, bytes.count)
    }

    private var first: AC3Syncframe { programs[0].independent }

    package var sampleRate: Int { first.sampleRate }
    package var sampleCount: Int { blockCount * 256 }

    /// TS 103 420 complexity index, wherever it is said: Blu-ray style streams put it into the dependent substream.
    package var jocComplexityIndex: Int? {
        programs.lazy.flatMap { [$0.independent] + $0.dependents }.compactMap(\.jocComplexityIndex).first
    }

    /// chanmap bit (15 the first) → channels: pairs count two (§E.1.3.1.8, Table E.1.4).
    private static let pairBits: Set<Int> = [5, 6, 9, 10, 11, 13]

    /// A syncframe's own channels as chanmap bits: L 0, C 1, R 2, Ls 3, Rs 4, Cs 7, LFE 15.
    private static func channels(_ frame: AC3Syncframe) -> Set<Int> {
        let sets: [Set<Int>] = [[0, 2], [1], [0, 2], [0, 1, 2], [0, 2, 7], [0, 1, 2, 7], [0, 2, 3, 4], [0, 1, 2, 3, 4]]
        return sets[Int(frame.acmod)].union(frame.hasLFE ? [15] : [])
    }

    /// Channels of the first program, dependent substreams included. A dependent substream may hold channels the core has already:
    /// those are replaced, not added. One without a chanmap holds those its acmod says (§E.1.3.1.7).
    package var channelCount: Int {
        var all = Self.channels(first)
        for frame in programs[0].dependents {
            guard let map = frame.channelMap else {
                all.formUnion(Self.channels(frame))
                continue
            }
            for bit in 0..<16 where map >> UInt16(15 - bit) & 1 == 1 { all.insert(bit) }
        }
        return all.reduce(0) { $0 + (Self.pairBits.contains($1) ? 2 : 1) }
    }

    /// Of all substreams, bits a second.
    package var bitRate: Int { programs.reduce(0) { $0 + $1.independent.bitRate + $1.dependents.reduce(0) { $0 + $1.bitRate } } }

    /// Content of a `dec3` box, with the extension for object audio.
    package var specificBox: [UInt8] { EC3SpecificBox(self).serialized() }
}
