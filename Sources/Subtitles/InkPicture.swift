/// A picture of words as readers of text want it: dark ink on white paper, one grey byte a pixel, rows from the top without padding.
package struct InkPicture: Sendable, Hashable {
    package let width, height: Int
    /// 0 is ink, 255 paper.
    package let pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Pixels a picture may have to be read: more than a 4K canvas holds.
    package static let pixelLimit = 1 << 24
    /// Alpha below which a pixel is not there, where others are opaque. Outer edges fade through colours that are neither text nor outline.
    private static let visibleAlpha: UInt32 = 128
    /// Colours closer than this (of 441, black to white) are shades of one.
    private static let sameColour = 90.0
    /// Share of the bright colour in the pixels at a shape's outer edge from which it is outline or box, and what it surrounds is text.
    /// White letters with a shadow on one side have half of it there; letters in an outline next to none.
    private static let surroundingShare = 0.8

    /// The ink of an object: of its two main colours, the one that the other surrounds. Outlines, shadows and boxes become paper.
    ///
    /// - Returns: `nil` where nothing is visible.
    package init?(_ object: PictureObject) {
        let (width, height) = (object.width, object.height)
        guard width > 0, height > 0, width * height <= Self.pixelLimit, object.pixels.count == width * height else { return nil }
        let colours = (0..<256).map { $0 < object.palette.count ? object.palette[$0] : 0 }
        // A picture that is fading in or out is read as it will be.
        var strongest: UInt32 = 0
        for index in object.pixels { strongest = max(strongest, colours[Int(index)] >> 24) }
        guard strongest > 0 else { return nil }
        let isVisible = colours.map { ($0 >> 24) * 255 >= Self.visibleAlpha * strongest }
        let (counts, edges) = Self.count(object.pixels, width, height, isVisible)
        guard let (ink, isSurrounded) = Self.ink(colours, counts: counts, edges: edges, isVisible) else { return nil }
        self.width = width
        self.height = height
        var drawn = object.pixels.map { 255 - ink[Int($0)] }
        if isSurrounded { Self.clearEdges(&drawn, object.pixels, width, height, isVisible) }
        pixels = drawn
    }

    /// Where letters have an outline or a box, what lies at the outer edge is not theirs: there outlines fade through all kinds of colours.
    private static func clearEdges(_ drawn: inout [UInt8], _ pixels: [UInt8], _ width: Int, _ height: Int, _ isVisible: [Bool]) {
        for y in 0..<height {
            for x in 0..<width {
                let place = y * width + x
                guard drawn[place] < 255 else { continue }
                let isInside = x > 0 && y > 0 && x < width - 1 && y < height - 1 && isVisible[Int(pixels[place - 1])] && isVisible[Int(pixels[place + 1])]
                    && isVisible[Int(pixels[place - width])] && isVisible[Int(pixels[place + width])]
                if !isInside { drawn[place] = 255 }
            }
        }
    }

    /// How many pixels have each index, and how many of those lie beside a transparent pixel or the picture's edge.
    private static func count(_ pixels: [UInt8], _ width: Int, _ height: Int, _ isVisible: [Bool]) -> (all: [Int], edges: [Int]) {
        var (all, edges) = ([Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256))
        pixels.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let place = y * width + x
                    let index = Int(pixels[place])
                    guard isVisible[index] else { continue }
                    all[index] += 1
                    if x == 0 || y == 0 || x == width - 1 || y == height - 1 || !isVisible[Int(pixels[place - 1])] || !isVisible[Int(pixels[place + 1])]
                        || !isVisible[Int(pixels[place - width])] || !isVisible[Int(pixels[place + width])]
                    {
                        edges[index] += 1
                    }
                }
            }
        }
        return (all, edges)
    }

    private typealias Colour = SIMD3<Double>

    private static func colour(_ argb: UInt32) -> Colour { Colour(Double(argb >> 16 & 255), Double(argb >> 8 & 255), Double(argb & 255)) }
    private static func luma(_ colour: Colour) -> Double { 0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z }
    private static func distance(_ a: Colour, _ b: Colour) -> Double { ((a - b) * (a - b)).sum().squareRoot() }

    /// Ink of each index, 0 to 255, and whether the paper's colour surrounds the ink's; `nil` where no index is visible.
    private static func ink(_ argb: [UInt32], counts: [Int], edges: [Int], _ isVisible: [Bool]) -> (ink: [UInt8], isSurrounded: Bool)? {
        let used = argb.indices.filter { isVisible[$0] && counts[$0] > 0 }
        let colours = argb.map { colour($0) }
        guard var dark = used.min(by: { luma(colours[$0]) < luma(colours[$1]) }).map({ colours[$0] }),
            var bright = used.max(by: { luma(colours[$0]) < luma(colours[$1]) }).map({ colours[$0] })
        else { return nil }
        let strongest = Double(max(used.map { argb[$0] >> 24 }.max() ?? 255, 1))
        func alpha(_ index: Int) -> Double { min(Double(argb[index] >> 24) / strongest, 1) }
        // Two means, by how much of each colour is there.
        for _ in 0..<8 {
            var sums = (Colour(), Colour())
            var weights = (0.0, 0.0)
            for index in used {
                let weight = Double(counts[index]) * alpha(index)
                if distance(colours[index], dark) < distance(colours[index], bright) {
                    sums.0 += colours[index] * weight
                    weights.0 += weight
                } else {
                    sums.1 += colours[index] * weight
                    weights.1 += weight
                }
            }
            if weights.0 > 0 { dark = sums.0 / weights.0 }
            if weights.1 > 0 { bright = sums.1 / weights.1 }
        }
        if distance(dark, bright) < sameColour { return (argb.indices.map { UInt8(alpha($0) * 255) }, false) }
        var (edge, brightEdge) = (0, 0)
        for index in used {
            edge += edges[index]
            if distance(colours[index], bright) <= distance(colours[index], dark) { brightEdge += edges[index] }
        }
        let brightShare = Double(brightEdge) / Double(max(edge, 1))
        let isTextDark = brightShare > surroundingShare
        let (paper, full) = (isTextDark ? bright : dark, distance(dark, bright))
        // Any colour that is far from the paper's is ink: speakers have colours of their own.
        let ink = argb.indices.map { isVisible[$0] ? UInt8(min(distance(colours[$0], paper) / (full * 0.95), 1) * alpha($0) * 255) : 0 }
        return (ink, isTextDark || brightShare < 1 - surroundingShare)
    }
}
