import BitsAndTime
import SubtitlePictures
import TestSupport
import Testing

/// Sets of our own making, as an author would write them.
enum Sets {
    static let palette = PGSPalette(entries: [
        .init(index: 1, colour: CodedColour(luma: 235, cr: 128, cb: 128, alpha: 255)), .init(index: 2, colour: CodedColour(luma: 16, cr: 128, cb: 128, alpha: 255)),
    ])
    static let pixels: [UInt8] = [0, 0, 1, 1, 0, 2, 2, 2]

    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, timescale: 90_000) }

    /// A 4 × 2 picture on 1920 × 1080.
    static func shown(at seconds: Double, number: UInt16 = 0, state: UInt8 = PGSComposition.epochStart, fragmentBytes: Int = 0xFFE4) -> PGSDisplaySet {
        var set = PGSDisplaySet(
            presentation: time(seconds),
            composition: PGSComposition(width: 1920, height: 1080, number: number, state: state, objects: [.init(objectID: 0, x: 100, y: 900)]))
        set.windows = PGSWindows([.init(id: 0, x: 100, y: 900, width: 4, height: 2)])
        set.palettes = [palette]
        set.fragments = PGSObjectFragment.fragments(id: 0, width: 4, height: 2, runLengths: PGSRunLengths.encode(pixels, width: 4), atMost: fragmentBytes)
        return set
    }

    static func cleared(at seconds: Double, number: UInt16 = 1) -> PGSDisplaySet {
        PGSDisplaySet(presentation: time(seconds), composition: PGSComposition(width: 1920, height: 1080, number: number, state: PGSComposition.normal, objects: []))
    }
}

@Suite struct PGSSegmentTests {
    @Test func aSetIsReadAsItWasWritten() {
        for set in [Sets.shown(at: 1), Sets.shown(at: 1, fragmentBytes: 3), Sets.cleared(at: 2)] {
            var assembler = PGSAssembler()
            #expect(assembler.add(set.bytes[...], presentation: set.presentation) == [set])
            #expect(assembler.finish() == nil)
        }
    }

    @Test func bytesOfASetAreThoseOfTheFormat() {
        let expected: [UInt8] = [
            0x16, 0, 19, 0x07, 0x80, 0x04, 0x38, 0x10, 0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 100, 0x03, 0x84,
            0x17, 0, 10, 1, 0, 0, 100, 0x03, 0x84, 0, 4, 0, 2,
            0x14, 0, 12, 0, 0, 1, 235, 128, 128, 255, 2, 16, 128, 128, 255,
            0x15, 0, 24, 0, 0, 0, 0xC0, 0, 0, 17, 0, 4, 0, 2, 0, 2, 1, 1, 0, 0, 0, 1, 0, 0x83, 2, 0, 0,
            0x80, 0, 0,
        ]
        #expect(Sets.shown(at: 1).bytes == expected)
    }

    @Test func compositionsKeepCropsAndFlags() throws {
        var composition = PGSComposition(
            width: 1920, height: 1080, number: 7, state: PGSComposition.acquisitionPoint, paletteID: 3,
            objects: [.init(objectID: 1, x: 10, y: 20, isForced: true), .init(objectID: 2, windowID: 1, x: 30, y: 40, crop: .init(x: 1, y: 2, width: 3, height: 4))])
        composition.paletteUpdate = 0x80
        let read = try PGSComposition(composition.segment.payload)
        #expect(read == composition)
        #expect(read.objects[0].isForced && !read.objects[1].isForced && read.isSelfContained)
        #expect(throws: ParseError.self) { try PGSComposition(composition.segment.payload.dropLast()) }
    }

    @Test func aPaletteShortOfBytesIsRefusedWhole() {
        #expect(throws: ParseError.self) { try PGSPalette(Sets.palette.segment.payload.dropLast()) }
    }

    @Test(arguments: [1, 3, 63, 64, 200, 5000, 20000])
    func runsOfEveryLengthAreReadAsWritten(width: Int) {
        var random = SeededRandom(seed: UInt64(width))
        var pixels: [UInt8] = []
        while pixels.count < width * 3 { pixels += [UInt8](repeating: UInt8.random(in: 0...3, using: &random), count: Int.random(in: 1...400, using: &random)) }
        pixels = Array(pixels.prefix(width * 3))
        let (read, isWhole) = PGSRunLengths.decode(PGSRunLengths.encode(pixels, width: width)[...], width: width, height: 3)
        #expect(read == pixels)
        #expect(isWhole)
    }

    @Test func linesThatAreTooShortOrTooLongStayInTheirRows() {
        let short = PGSRunLengths.decode([1, 0, 0, 2, 2, 2, 0, 0], width: 3, height: 2)
        #expect(short.pixels == [1, 0xFF, 0xFF, 2, 2, 2])
        #expect(!short.isWhole)
        let long = PGSRunLengths.decode([0, 0x85, 1, 0, 0, 2, 2, 2, 0, 0], width: 3, height: 2)
        #expect(long.pixels == [1, 1, 1, 2, 2, 2])
        #expect(!long.isWhole)
        #expect(PGSRunLengths.decode([1, 1, 1, 0, 0, 2, 2, 2], width: 3, height: 2).isWhole)
        #expect(!PGSRunLengths.decode([1, 1, 1, 0, 0], width: 3, height: 2).isWhole)
    }

    @Test func noInputTraps() {
        for damaged in Damage.all(of: Sets.shown(at: 1, fragmentBytes: 4).bytes, mutations: 2000) {
            var (assembler, decoder) = (PGSAssembler(), PGSDecoder())
            for set in assembler.add(damaged[...], presentation: Sets.time(1)) + [assembler.finish()].compactMap({ $0 }) {
                let scene = decoder.decode(set)
                for picture in scene.pictures { #expect(picture.pixels.count == picture.width * picture.height && picture.palette.count == 256) }
            }
        }
    }

    @Test func supFilesAreReadAsWrittenAndDamageCostsWhatItHits() {
        let file = SupFile(sets: [Sets.shown(at: 1), Sets.cleared(at: 2), Sets.shown(at: 3)])
        #expect(SupFile(file.bytes) == file)
        var damaged = file.bytes
        // The second header's mark: its segment is lost, the rest is found again.
        let second = 13 + file.packets[0].segment.payload.count
        damaged[second] = 0
        let read = SupFile(damaged)
        #expect(read.packets == [file.packets[0]] + file.packets[2...])
        #expect(read.strayByteCount == 13 + file.packets[1].segment.payload.count)
        for input in Damage.all(of: file.bytes, mutations: 300) { _ = SupFile(input) }
    }

    @Test func coloursFollowTheirMatrix() {
        #expect(CodedColour(luma: 235, cr: 128, cb: 128, alpha: 255).argb(.bt709) == 0xFFFF_FFFF)
        #expect(CodedColour(luma: 16, cr: 128, cb: 128, alpha: 7).argb(.bt601) == 0x0700_0000)
        // 100 % red by BT.709: Y 63, Cb 102, Cr 240.
        #expect(CodedColour(argb: 0xFFFF_0000) == CodedColour(luma: 63, cr: 240, cb: 102, alpha: 255))
        for argb: UInt32 in [0xFFFF_0000, 0xFF00_FF00, 0x8000_00FF, 0xFF12_3456, 0xFFFE_DCBA] {
            for matrix in [CodedColour.Matrix.bt601, .bt709, .bt2020] {
                let back = CodedColour(argb: argb, matrix: matrix).argb(matrix)
                for shift: UInt32 in [0, 8, 16, 24] { #expect(abs(Int(back >> shift & 255) - Int(argb >> shift & 255)) <= 3) }
            }
        }
    }
}
