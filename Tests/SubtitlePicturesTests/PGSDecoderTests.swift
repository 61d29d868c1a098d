import BitsAndTime
import SubtitlePictures
import TestSupport
import Testing

@Suite struct PGSDecoderTests {
    @Test func aPictureLiesWhereItsCompositionSays() throws {
        var decoder = PGSDecoder()
        let scene = decoder.decode(Sets.shown(at: 1))
        let picture = try #require(scene.pictures.first)
        #expect((picture.x, picture.y, picture.width, picture.height) == (100, 900, 4, 2))
        #expect(picture.pixels == Sets.pixels)
        #expect(picture.palette[1].argb(.bt709) == 0xFFFF_FFFF && picture.palette[0].alpha == 0)
        #expect((scene.canvasWidth, scene.canvasHeight, scene.isSelfContained) == (1920, 1080, true))
        #expect(scene.findings.isEmpty)
        #expect(decoder.decode(Sets.cleared(at: 2)).pictures.isEmpty)
    }

    /// A set that arrives in five packets, of which only some have a time (ISO/IEC 13818-1 asks for one every 0.7 s only).
    @Test func aSetSplitOverPacketsIsOneAtItsCompositionsTime() {
        let set = Sets.shown(at: 4)
        var assembler = PGSAssembler()
        var complete: [PGSDisplaySet] = []
        for (index, segment) in set.segments.enumerated() {
            var writer = ByteWriter()
            segment.write(to: &writer)
            let time: MediaTime? = index == 0 ? set.presentation : index == 3 ? Sets.time(3.9) : nil
            complete += assembler.add(writer.bytes[...], presentation: time)
            #expect(complete.isEmpty == (segment.kind != .end))
        }
        #expect(complete == [set])
    }

    @Test func theFirstTimeStandsInForACompositionsOwn() {
        let set = Sets.shown(at: 4)
        var assembler = PGSAssembler()
        let complete = set.segments.enumerated().flatMap { index, segment in
            assembler.add([segment.type, UInt8(segment.payload.count >> 8), UInt8(segment.payload.count & 255)] + segment.payload, presentation: index == 2 ? Sets.time(4) : nil)
        }
        #expect(complete == [set])
    }

    @Test func aSetWithoutItsEndIsEndedByTheNext() {
        let first = Sets.shown(at: 1)
        var assembler = PGSAssembler()
        #expect(assembler.add(first.bytes.dropLast(3), presentation: first.presentation).isEmpty)
        let complete = assembler.add(Sets.cleared(at: 2).bytes[...], presentation: Sets.time(2))
        #expect(complete.map(\.presentation) == [Sets.time(1), Sets.time(2)])
        #expect(complete.first?.findings == [.noEnd])
        #expect(complete.first?.fragments == first.fragments)
    }

    @Test func fragmentsMakeOneObject() {
        var (whole, cut) = (PGSDecoder(), PGSDecoder())
        #expect(whole.decode(Sets.shown(at: 1)) == cut.decode(Sets.shown(at: 1, fragmentBytes: 2)))
        var short = Sets.shown(at: 1, fragmentBytes: 2)
        short.fragments.removeLast()
        let scene = cut.decode(short)
        #expect(scene.findings == [.damagedObject(0)])
        // What is there is shown.
        #expect(scene.pictures.first?.pixels.prefix(4) == Sets.pixels.prefix(4))
    }

    @Test func severalObjectsAndForcedOnesAreKeptApart() {
        var set = Sets.shown(at: 1)
        set.composition?.objects = [.init(objectID: 0, x: 1, y: 2, isForced: true), .init(objectID: 0, windowID: 1, x: 3, y: 4), .init(objectID: 5, x: 5, y: 6, crop: .init(x: 1, y: 0, width: 2, height: 9))]
        set.fragments += PGSObjectFragment.fragments(id: 5, width: 4, height: 2, runLengths: PGSRunLengths.encode(Sets.pixels, width: 4))
        var decoder = PGSDecoder()
        let pictures = decoder.decode(set).pictures
        #expect(pictures.map(\.x) == [1, 3, 5])
        #expect(pictures.map(\.isForced) == [true, false, false])
        #expect(pictures.last?.pixels == [0, 1, 2, 2])
    }

    @Test func objectsLastForTheirEpoch() {
        var decoder = PGSDecoder()
        _ = decoder.decode(Sets.shown(at: 1))
        var moved = PGSDisplaySet(presentation: Sets.time(2), composition: PGSComposition(width: 1920, height: 1080, number: 1, state: PGSComposition.normal, objects: [.init(objectID: 0, x: 7, y: 8)]))
        let scene = decoder.decode(moved)
        #expect(scene.pictures.first?.pixels == Sets.pixels && scene.pictures.first?.x == 7)
        #expect(!scene.needsEarlier)
        // A new epoch knows nothing of the old one's objects.
        moved.composition?.state = PGSComposition.epochStart
        let fresh = decoder.decode(moved)
        #expect(fresh.pictures.isEmpty && fresh.findings == [.missingPalette(0)] && !fresh.needsEarlier)
        // Decoding that begins inside an epoch says that it should have begun earlier.
        moved.composition?.state = PGSComposition.normal
        var late = PGSDecoder()
        #expect(late.decode(moved).needsEarlier)
    }

    @Test func anAcquisitionPointIsThePlaceToBeginAt() {
        let sets = [Sets.shown(at: 1), Sets.shown(at: 2, number: 1, state: PGSComposition.acquisitionPoint), Sets.cleared(at: 3)]
        var (head, middle) = (PGSDecoder(), PGSDecoder())
        #expect(sets.map { head.decode($0) }.dropFirst() == sets.dropFirst().map { middle.decode($0) }[...])
    }

    @Test func paletteUpdatesRecolourWhatIsShown() {
        var decoder = PGSDecoder()
        _ = decoder.decode(Sets.shown(at: 1))
        var faded = PGSDisplaySet(presentation: Sets.time(2), composition: PGSComposition(width: 1920, height: 1080, number: 1, state: PGSComposition.normal, objects: [.init(objectID: 0, x: 100, y: 900)]))
        faded.composition?.paletteUpdate = 0x80
        faded.palettes = [PGSPalette(version: 1, entries: [.init(index: 1, colour: CodedColour(luma: 235, cr: 128, cb: 128, alpha: 90))])]
        let picture = decoder.decode(faded).pictures.first
        #expect(picture?.palette[1].alpha == 90 && picture?.palette[2].alpha == 255)
    }

    @Test func damageDoesNotKeepASetFromEndingItsPredecessor() {
        // A palette short of two bytes, a composition short of one, and bytes that are no segment at all.
        for damage in ["palette", "composition", "noise"] {
            let set = Sets.shown(at: 2)
            var bytes: [UInt8] = []
            for segment in set.segments {
                var payload = Array(segment.payload)
                if (damage == "palette" && segment.kind == .palette) || (damage == "composition" && segment.kind == .composition) { payload.removeLast(2) }
                bytes += [segment.type, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
            }
            if damage == "noise" { bytes = [0x16, 0xFF, 0xFF, 1, 2, 3] }
            var (assembler, decoder) = (PGSAssembler(), PGSDecoder())
            let sets = assembler.add(bytes[...], presentation: Sets.time(2)) + [assembler.finish()].compactMap { $0 }
            #expect(sets.map(\.presentation) == [Sets.time(2)], "\(damage)")
            let scene = sets.first.map { decoder.decode($0) }
            #expect(scene?.pictures.isEmpty == true && scene?.findings.isEmpty == false, "\(damage)")
        }
    }

    @Test func sizesThatTheDataCannotFillCostNothing() {
        var set = Sets.shown(at: 1)
        set.fragments = PGSObjectFragment.fragments(id: 0, width: 4096, height: 4096, runLengths: [1, 2, 3])
        var decoder = PGSDecoder()
        let scene = decoder.decode(set)
        #expect(scene.pictures.isEmpty && scene.findings == [.damagedObject(0)])
    }
}
