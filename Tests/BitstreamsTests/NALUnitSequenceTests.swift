import BitsAndTime
import Bitstreams
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct NALUnitSequenceTests {
    /// The definition, one byte at a time: a unit lies between start codes and ends before trailing zeros.
    private static func slowly(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var starts: [Int] = []
        var at = 0
        while at + 2 < bytes.count {
            if bytes[at] == 0, bytes[at + 1] == 0, bytes[at + 2] == 1 {
                starts.append(at)
                at += 3
            } else {
                at += 1
            }
        }
        return starts.indices.compactMap { i in
            var unit = bytes[(starts[i] + 3)..<(i + 1 < starts.count ? starts[i + 1] : bytes.count)]
            while unit.last == 0 { unit = unit.dropLast() }
            return unit.isEmpty ? nil : unit
        }
    }

    /// Against the definition (ITU-T H.264 §B.1.1) read one byte at a time, wherever a start code lies.
    @Test func everyStartCodeIsFoundWhereverItLies() {
        var random = SeededRandom(seed: 11)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8([0, 0, 0, 1, 0x65, 0xFF, 0x80].randomElement(using: &random) ?? 0) }
            let codes = bytes.indices.filter { $0 + 2 < count && bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }
            var expected: [[UInt8]] = []
            for (place, code) in codes.enumerated() {
                var unit = bytes[(code + 3)..<(place + 1 < codes.count ? codes[place + 1] : count)]
                while unit.last == 0 { unit.removeLast() }
                if !unit.isEmpty { expected.append(Array(unit)) }
            }
            #expect(NALUnitSequence.units(in: bytes, framing: .annexB).map(Array.init) == expected)
        }
    }

    @Test func startCodesBehindALengthAreFoundAndMadeLengths() {
        // One length around a byte that is no unit, a four-byte start code and two units; then a unit of its own.
        let inner: [UInt8] = [0xC0, 0x80, 0x0F, 0, 0, 0, 1, 0x06, 0x05, 0x80, 0, 0, 1, 0x65, 0x88, 0x84]
        let sample = [0, 0, 0, UInt8(inner.count)] + inner + [0, 0, 0, 2, 0x41, 0x9A]
        sample.withUnsafeBytes { bytes in
            #expect(NALUnitSequence.holdsStartCodes(bytes, lengthSize: 4))
            #expect(NALUnitSequence.splitAtStartCodes(bytes, lengthSize: 4) == [0, 0, 0, 3, 0x06, 0x05, 0x80, 0, 0, 0, 3, 0x65, 0x88, 0x84, 0, 0, 0, 2, 0x41, 0x9A])
        }
        // Lengths make no start codes of zeros before them.
        let sound: [UInt8] = [0, 0, 0, 3, 0x65, 0x88, 0x80, 0, 0, 1, 0] + [UInt8](repeating: 0x41, count: 256)
        sound.withUnsafeBytes { #expect(!NALUnitSequence.holdsStartCodes($0, lengthSize: 4)) }
        for count in sample.indices {
            sample[..<count].withUnsafeBytes { _ = NALUnitSequence.splitAtStartCodes($0, lengthSize: 4) }
        }
    }

    @Test func conversionAgreesWithTheUnitsOnAnyBytes() {
        var random = SeededRandom(seed: 7)
        for round in 0..<4000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                round % 2 == 0 ? [0, 0, 0, 1, 2, 3, 0x65].randomElement(using: &random) ?? 0 : UInt8.random(in: 0...3, using: &random)
            }
            let units = NALUnitSequence.units(in: bytes, framing: .annexB)
            #expect(units == Self.slowly(bytes))
            let converted = bytes.withUnsafeBytes { NALUnitSequence.convertToLengthPrefixed($0) }
            #expect(converted == NALUnitSequence.lengthPrefixed(units))
            #expect(NALUnitSequence.units(in: converted, framing: .lengthPrefixed(lengthSize: 4)).map(Array.init) == units.map(Array.init))
        }
    }

    @Test func conversionOfX264BytesIsFFmpegs() throws {
        let pair = try Reference.pair("nal", extension: "h264", "\(Reference.picture) -c:v libx264 -preset ultrafast -x264-params slices=3")
        let samples = try pair.samples().map(\.bytes)
        let converted = pair.stream.withUnsafeBytes { NALUnitSequence.convertToLengthPrefixed($0) }
        #expect(converted == samples.flatMap { $0 })
    }

    @Test func lengthsThatOverrunEndTheReading() {
        let whole: [UInt8] = [0, 0, 0, 2, 0x65, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0x41]
        let read = whole.withUnsafeBytes { NALUnitSequence.units(in: $0, framing: .lengthPrefixed(lengthSize: 4)) }
        #expect(read.ranges == [4..<6, 14..<15] && read.droppedByteCount == 0)
        let cut = whole.dropLast().withUnsafeBytes { NALUnitSequence.units(in: $0, framing: .lengthPrefixed(lengthSize: 4)) }
        #expect(cut.ranges == [4..<6] && cut.droppedByteCount == 4)
        let short: [UInt8] = [0, 2, 0x65, 1, 0]
        #expect(NALUnitSequence.units(in: short, framing: .lengthPrefixed(lengthSize: 2)).map(Array.init) == [[0x65, 1]])
        #expect(NALUnitSequence.units(in: [1, 0x65], framing: .lengthPrefixed(lengthSize: 1)).map(Array.init) == [[0x65]])
        for bytes in Damage.all(of: whole, mutations: 1000) {
            for size in [1, 2, 4] {
                let (ranges, dropped) = bytes.withUnsafeBytes { NALUnitSequence.units(in: $0, framing: .lengthPrefixed(lengthSize: size)) }
                #expect(ranges.allSatisfy { $0.upperBound <= bytes.count - dropped })
            }
        }
    }

    @Test func emulationPreventionGoesWhereItProtects() {
        #expect(RBSP.removingEmulationPrevention([0x67, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3]) == [0x67, 0, 0, 1, 0, 0, 0, 0])
        #expect(RBSP.removingEmulationPrevention([0, 3, 0, 3]) == [0, 3, 0, 3])
    }

    @Test func emulationPreventionRoundTrips() {
        #expect(RBSP.insertingEmulationPrevention([0x67, 0, 0, 1, 0, 0, 0, 0]) == [0x67, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3])
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let data = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...4, using: &random) }
            let payload = data + [0x80] + [UInt8](repeating: 0, count: 2 * Int.random(in: 0...2, using: &random))
            let unit = RBSP.insertingEmulationPrevention(payload[...])
            #expect(RBSP.removingEmulationPrevention(unit[...]) == payload)
            #expect(unit.last != 0 && !unit.indices.dropFirst(2).contains { unit[$0 - 2] == 0 && unit[$0 - 1] == 0 && unit[$0] < 3 })
        }
    }

    @Test func samplesThatMustBeWholeSayWhereTheyAreNot() throws {
        let sample: [UInt8] = [9, 9, 0, 0, 0, 2, 0x65, 1, 0, 0, 0, 1, 0x41, 9]
        let slice = sample[2..<13]
        let units = try NALUnitSequence.units(in: slice, framing: .lengthPrefixed(lengthSize: 4))
        #expect(units == [[0x65, 1], [0x41]] && units.first?.startIndex == 6)
        #expect(NALUnitSequence.lengthPrefixed(units) == Array(slice))
        for end in 2..<13 where end != 2 && end != 8 {
            do throws(ParseError) {
                _ = try NALUnitSequence.units(in: sample[2..<end], framing: .lengthPrefixed(lengthSize: 4))
                Issue.record("a sample cut at \(end) was read")
            } catch {
                #expect(error.kind == .truncated && error.offset == (end > 8 ? 6 : 0))
            }
            let (whole, dropped) = NALUnitSequence.wholeUnits(in: sample[2..<end], framing: .lengthPrefixed(lengthSize: 4))
            #expect(whole == (end > 8 ? [[0x65, 1]] : []) && dropped == (end > 8 ? end - 8 : end - 2))
        }
        let stream: [UInt8] = [7, 0, 0, 0, 1, 0x65, 1, 0, 0, 0, 1, 0x41, 0]
        #expect(try NALUnitSequence.units(in: stream[1...], framing: .annexB) == [[0x65, 1], [0x41]])
        #expect(NALUnitSequence.convertToLengthPrefixed(stream[1...]) == Array(slice))
    }

    @Test(arguments: [-1, 0, 5, 9]) func lengthsOfNoSizeReadNothing(size: Int) {
        let bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0x65]
        #expect(NALUnitSequence.wholeUnits(in: bytes[...], framing: .lengthPrefixed(lengthSize: size)).droppedByteCount == bytes.count)
    }
}
