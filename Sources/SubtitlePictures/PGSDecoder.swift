internal import BitsAndTime

/// Keeps what an epoch's sets have defined, and says what each of them shows.
///
/// A self-contained set (epoch start, acquisition point) empties it, so what it shows from there on does not depend on where decoding began.
package struct PGSDecoder: Sendable {
    /// Of one epoch, in coded bytes; what comes behind is left out.
    package static let storeLimit = 16 << 20
    /// Of one epoch's decoded objects, and of one set's pictures, in pixels: the largest canvas the format can address. The format's own decoded
    /// object buffer is 4 MiB, 16 on UHD discs.
    package static let pixelLimit = 1 << 24
    /// Pictures of one set. The format allows two.
    package static let pictureLimit = 64
    /// Either side of one object (object_width and object_height, 8 to 4096).
    private static let sideLimit = 4096
    /// Objects of one epoch. The format allows 64.
    private static let objectLimit = 1 << 12

    private struct Stored {
        let width, height: Int
        /// What the first fragment declares, with the size's four bytes left out.
        let byteCount: Int
        /// Empty once ``pixels`` are there.
        var runLengths: [UInt8]
        var isComplete: Bool
        /// Decoded when they are first shown, and kept: sets that recolour or move an object come by the dozen.
        var pixels: [UInt8]?
    }

    private var palettes: [UInt8: [CodedColour]] = [:]
    private var objects: [UInt16: Stored] = [:]
    private var storedByteCount = 0
    private var storedPixelCount = 0

    package init() {}

    /// Forgets everything, as before reading goes on elsewhere.
    package mutating func reset() { self = PGSDecoder() }

    package mutating func decode(_ set: PGSDisplaySet) -> PGSScene {
        var findings = set.findings
        if set.composition?.isSelfContained == true { reset() }
        for palette in set.palettes { store(palette) }
        for fragment in set.fragments { store(fragment, &findings) }
        guard let composition = set.composition else {
            return PGSScene(presentation: set.presentation, canvasWidth: 0, canvasHeight: 0, pictures: [], findings: findings, isSelfContained: false)
        }
        return PGSScene(
            presentation: set.presentation, canvasWidth: Int(composition.width), canvasHeight: Int(composition.height),
            pictures: pictures(of: composition, &findings), findings: findings, isSelfContained: composition.isSelfContained)
    }

    private mutating func store(_ palette: PGSPalette) {
        var colours = palettes[palette.id] ?? [CodedColour](repeating: .transparent, count: 256)
        for entry in palette.entries { colours[Int(entry.index)] = entry.colour }
        palettes[palette.id] = colours
    }

    private mutating func store(_ fragment: PGSObjectFragment, _ findings: inout [PGSFinding]) {
        let budget = Self.storeLimit - storedByteCount
        if let header = fragment.header {
            remove(fragment.id)
            let (width, height) = (Int(header.width), Int(header.height))
            guard header.dataLength >= 4, width > 0, height > 0, width <= Self.sideLimit, height <= Self.sideLimit else {
                findings.append(.damagedObject(fragment.id))
                return
            }
            guard fragment.data.count <= budget, objects.count < Self.objectLimit else {
                findings.append(.tooLarge)
                return
            }
            objects[fragment.id] = Stored(width: width, height: height, byteCount: Int(header.dataLength) - 4, runLengths: Array(fragment.data), isComplete: fragment.isLast)
        } else {
            guard let stored = objects[fragment.id], !stored.isComplete else {
                findings.append(.damagedObject(fragment.id))
                return
            }
            guard fragment.data.count <= budget else {
                findings.append(.tooLarge)
                return
            }
            objects[fragment.id]?.runLengths += fragment.data
            objects[fragment.id]?.isComplete = fragment.isLast
        }
        storedByteCount += fragment.data.count
        if let stored = objects[fragment.id], stored.isComplete, stored.runLengths.count != stored.byteCount { findings.append(.damagedObject(fragment.id)) }
    }

    private mutating func remove(_ id: UInt16) {
        guard let old = objects.removeValue(forKey: id) else { return }
        storedByteCount -= old.runLengths.count
        if old.pixels != nil { storedPixelCount -= old.width * old.height }
    }

    private mutating func pictures(of composition: PGSComposition, _ findings: inout [PGSFinding]) -> [PGSScene.Picture] {
        guard !composition.objects.isEmpty else { return [] }
        guard let palette = palettes[composition.paletteID] else {
            findings.append(.missingPalette(composition.paletteID))
            return []
        }
        var pictures: [PGSScene.Picture] = []
        var pixelsLeft = Self.pixelLimit
        for placed in composition.objects {
            guard let stored = objects[placed.objectID] else {
                findings.append(.missingObject(placed.objectID))
                continue
            }
            pixelsLeft -= stored.width * stored.height
            guard pixelsLeft >= 0, pictures.count < Self.pictureLimit else {
                findings.append(.tooLarge)
                break
            }
            guard let pixels = decoded(placed.objectID, stored, &findings), let picture = Self.picture(placed, pixels, stored.width, stored.height, palette) else { continue }
            pictures.append(picture)
        }
        return pictures
    }

    private mutating func decoded(_ id: UInt16, _ stored: Stored, _ findings: inout [PGSFinding]) -> [UInt8]? {
        if let pixels = stored.pixels { return pixels }
        // A line takes two bytes at least: sizes that the data cannot fill cost nothing.
        guard stored.runLengths.count / 2 + 1 >= stored.height else {
            if !findings.contains(.damagedObject(id)) { findings.append(.damagedObject(id)) }
            return nil
        }
        guard stored.width * stored.height <= Self.pixelLimit - storedPixelCount else {
            findings.append(.tooLarge)
            return nil
        }
        let (pixels, isWhole) = PGSRunLengths.decode(stored.runLengths[...], width: stored.width, height: stored.height)
        if !isWhole || !stored.isComplete, !findings.contains(.damagedObject(id)) { findings.append(.damagedObject(id)) }
        storedPixelCount += pixels.count
        storedByteCount -= stored.runLengths.count
        // Fragments that come later than their showing belong to nothing.
        objects[id]?.isComplete = true
        objects[id]?.runLengths = []
        objects[id]?.pixels = pixels
        return pixels
    }

    /// The object or the part of it that is shown; `nil` for a crop that shows nothing.
    private static func picture(_ placed: PGSComposition.Placed, _ pixels: [UInt8], _ width: Int, _ height: Int, _ palette: [CodedColour]) -> PGSScene.Picture? {
        guard let crop = placed.crop else {
            return PGSScene.Picture(x: Int(placed.x), y: Int(placed.y), width: width, height: height, pixels: pixels, palette: palette, isForced: placed.isForced)
        }
        let (left, top) = (min(Int(crop.x), width), min(Int(crop.y), height))
        let (shownWidth, shownHeight) = (min(Int(crop.width), width - left), min(Int(crop.height), height - top))
        guard shownWidth > 0, shownHeight > 0 else { return nil }
        var shown: [UInt8] = []
        shown.reserveCapacity(shownWidth * shownHeight)
        for row in top..<(top + shownHeight) { shown += pixels[(row * width + left)..<(row * width + left + shownWidth)] }
        return PGSScene.Picture(
            x: Int(placed.x), y: Int(placed.y), width: shownWidth, height: shownHeight, pixels: shown, palette: palette, isForced: placed.isForced)
    }
}
