import BitsAndTime
import Foundation
import SubtitlePictures
import Subtitles
import TestSupport

/// Subtitles drawn by ffmpeg as an author would draw them, and written as a Presentation Graphics stream.
struct RenderedSubtitles {
    struct Style {
        var font = "DejaVuSans.ttf"
        var size = 54
        var fill = "white"
        /// What `drawtext` is given besides.
        var extra = "borderw=3:bordercolor=black"
        var background = "black@0"
        /// Between two lines, in pixels; below zero they reach into each other.
        var spacing = 8
    }

    struct DrawingFailed: Error { let output: String }

    static let width = 1920
    /// Of one picture.
    static let height = 200

    /// Red, green, blue, alpha; a picture a text, as many rows as ``height``.
    static func draw(_ texts: [String], _ style: Style, folder: FFmpegFixture) throws -> [[UInt8]] {
        var filters: [String] = []
        for (index, text) in texts.enumerated() {
            let file = folder.url("text\(index).txt")
            try Data(text.utf8).write(to: file)
            filters.append(
                "drawtext=fontfile=/usr/share/fonts/truetype/dejavu/\(style.font):textfile=\(file.path):expansion=none:fontsize=\(style.size):fontcolor=\(style.fill):\(style.extra)"
                    + ":x=(w-tw)/2:y=\(index * height + 20):line_spacing=\(style.spacing)")
        }
        let output = folder.url("drawn.rgba")
        let made = try FFmpegFixture.run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=\(style.background):s=\(width)x\(height * texts.count),format=rgba", "-vf",
            filters.joined(separator: ","), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgba", output.path,
        ])
        guard made.status == 0 else { throw DrawingFailed(output: String(decoding: made.output, as: UTF8.self)) }
        let pixels = [UInt8](try Data(contentsOf: output))
        return texts.indices.map { Array(pixels[($0 * width * height * 4)..<(($0 + 1) * width * height * 4)]) }
    }

    /// The set that shows these pixels: colours brought to 252 at most, cut to what is visible.
    static func displaySet(_ rgba: [UInt8], at time: MediaTime, number: UInt16, isForced: Bool = false) -> PGSDisplaySet {
        var indices: [UInt32: UInt8] = [:]
        var entries: [PGSPalette.Entry] = []
        var pixels = [UInt8](repeating: 0, count: width * height)
        for place in pixels.indices where rgba[place * 4 + 3] > 0 {
            let bytes = rgba[(place * 4)..<(place * 4 + 4)].map { UInt32($0) }
            // Four bits of alpha and two of each colour are 1024; grey letters need far fewer.
            let level = { (value: UInt32) in (value * 15 / 255) * 17 }
            let colour = level(bytes[3]) << 24 | level(bytes[0]) << 16 | level(bytes[1]) << 8 | level(bytes[2])
            if let known = indices[colour] {
                pixels[place] = known
            } else if entries.count < 252 {
                let index = UInt8(entries.count + 1)
                indices[colour] = index
                entries.append(.init(index: index, colour: CodedColour(argb: colour)))
                pixels[place] = index
            } else {
                pixels[place] = pixels[max(0, place - 1)]
            }
        }
        let rows = (0..<height).filter { row in pixels[(row * width)..<((row + 1) * width)].contains { $0 != 0 } }
        let (top, bottom) = (rows.first ?? 0, (rows.last ?? 0) + 1)
        var (left, right) = (width, 1)
        for row in rows {
            let line = pixels[(row * width)..<((row + 1) * width)]
            left = min(left, (line.firstIndex { $0 != 0 } ?? line.endIndex) - line.startIndex)
            right = max(right, (line.lastIndex { $0 != 0 } ?? line.startIndex) - line.startIndex + 1)
        }
        let cut = (top..<bottom).flatMap { pixels[($0 * width + left)..<($0 * width + right)] }
        var shown = PGSDisplaySet(
            presentation: time,
            composition: PGSComposition(
                width: 1920, height: 1080, number: number, state: PGSComposition.epochStart, objects: [.init(objectID: 0, x: UInt16(left), y: UInt16(860 + top), isForced: isForced)]))
        shown.windows = PGSWindows([.init(id: 0, x: UInt16(left), y: UInt16(860 + top), width: UInt16(right - left), height: UInt16(bottom - top))])
        shown.palettes = [PGSPalette(entries: entries)]
        shown.fragments = PGSObjectFragment.fragments(id: 0, width: UInt16(right - left), height: UInt16(bottom - top), runLengths: PGSRunLengths.encode(cut, width: right - left))
        return shown
    }

    /// A `.sup` that shows each text for two seconds, three seconds apart.
    static func sup(_ texts: [String], _ style: Style = Style()) throws -> [UInt8] {
        let folder = try FFmpegFixture()
        var sets: [PGSDisplaySet] = []
        for (index, rgba) in try draw(texts, style, folder: folder).enumerated() {
            let start = MediaTime(ticks: Int64(3 * index + 1) * 90_000, timescale: 90_000)
            sets.append(displaySet(rgba, at: start, number: UInt16(2 * index)))
            sets.append(
                PGSDisplaySet(
                    presentation: start + MediaTime(ticks: 2, timescale: 1),
                    composition: PGSComposition(width: 1920, height: 1080, number: UInt16(2 * index + 1), state: PGSComposition.normal, objects: [])))
        }
        return SupFile(sets: sets).bytes
    }
}

/// Letters to insert, take out or change to get from one text to the other.
func editDistance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, right) in b.enumerated() {
            let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (left == right ? 0 : 1))
            (diagonal, row[j + 1]) = (row[j + 1], next)
        }
    }
    return row[b.count]
}
