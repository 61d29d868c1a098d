/// Cuts a picture of words into its lines and brings them to the size readers were trained on.
extension InkPicture {
    /// Darkness from which a pixel counts as ink.
    private static let inkLevel: UInt8 = 128
    /// Height of a line from its highest to its lowest ink that is read best, in pixels.
    private static let lineHeight = 56
    /// Paper around a line, in pixels.
    private static let margin = 16

    /// The lines from the top, each on paper of its own. None for a picture without ink.
    package var lines: [InkPicture] {
        bands.compactMap { band in
            guard let columns = columns(in: band) else { return nil }
            return cut(columns, band).scaled()
        }
    }

    /// Rows that belong together: between bands lie rows without ink.
    private var bands: [Range<Int>] {
        var bands: [Range<Int>] = []
        var start: Int?
        for y in 0...height {
            let hasInk = y < height && pixels[(y * width)..<((y + 1) * width)].contains { $0 < Self.inkLevel }
            if hasInk, start == nil { start = y }
            if !hasInk, let from = start {
                bands.append(from..<y)
                start = nil
            }
        }
        return merged(bands)
    }

    /// Accents, dots and commas that lie apart from their letters join the nearest line.
    private func merged(_ bands: [Range<Int>]) -> [Range<Int>] {
        guard let tallest = bands.map(\.count).max() else { return [] }
        var merged = bands
        while merged.count > 1, let small = merged.indices.first(where: { merged[$0].count * 2 < tallest }) {
            let above = small > 0 ? merged[small].lowerBound - merged[small - 1].upperBound : Int.max
            let below = small + 1 < merged.count ? merged[small + 1].lowerBound - merged[small].upperBound : Int.max
            // What is far from all others stands for itself: a dash, an ellipsis.
            guard min(above, below) * 3 < tallest else {
                return merged[..<small] + [merged[small]] + Array(self.merged(Array(merged[(small + 1)...])))
            }
            let other = above < below ? small - 1 : small + 1
            merged[min(small, other)] = merged[min(small, other)].lowerBound..<merged[max(small, other)].upperBound
            merged.remove(at: max(small, other))
        }
        return merged
    }

    private func columns(in band: Range<Int>) -> Range<Int>? {
        var (left, right) = (width, 0)
        for y in band {
            let row = pixels[(y * width)..<((y + 1) * width)]
            guard let first = row.firstIndex(where: { $0 < Self.inkLevel }), let last = row.lastIndex(where: { $0 < Self.inkLevel }) else { continue }
            left = min(left, first - y * width)
            right = max(right, last - y * width + 1)
        }
        return left < right ? left..<right : nil
    }

    private func cut(_ columns: Range<Int>, _ rows: Range<Int>) -> InkPicture {
        var cut: [UInt8] = []
        cut.reserveCapacity(columns.count * rows.count)
        for y in rows { cut += pixels[(y * width + columns.lowerBound)..<(y * width + columns.upperBound)] }
        return InkPicture(width: columns.count, height: rows.count, pixels: cut)
    }

    /// At the height that is read best, on paper.
    private func scaled() -> InkPicture {
        // Between the two it would only be blurred. A lone dash is not blown up.
        let factor = min(max(Double(Self.lineHeight) / Double(height), 0.25), 4)
        let scale = factor > 0.75 && factor < 1.3 ? 1 : factor
        let (newWidth, newHeight) = (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
        let (paperWidth, paperHeight) = (newWidth + 2 * Self.margin, newHeight + 2 * Self.margin)
        guard paperWidth * paperHeight <= Self.pixelLimit else { return self }
        var paper = [UInt8](repeating: 255, count: paperWidth * paperHeight)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                paper[(y + Self.margin) * paperWidth + x + Self.margin] = scale == 1 ? pixels[y * width + x] : sample(x, y, scale)
            }
        }
        return InkPicture(width: paperWidth, height: paperHeight, pixels: paper)
    }

    /// The mean over a pixel of the scaled picture: between neighbours where it grows, over all it covers where it shrinks.
    private func sample(_ x: Int, _ y: Int, _ scale: Double) -> UInt8 {
        if scale < 1 {
            let (left, top) = (Int(Double(x) / scale), Int(Double(y) / scale))
            let (right, bottom) = (min(width, max(left + 1, Int(Double(x + 1) / scale))), min(height, max(top + 1, Int(Double(y + 1) / scale))))
            var (sum, count) = (0, 0)
            for row in top..<bottom {
                for column in left..<right {
                    sum += Int(pixels[row * width + column])
                    count += 1
                }
            }
            return count > 0 ? UInt8(sum / count) : 255
        }
        let (u, v) = (max((Double(x) + 0.5) / scale - 0.5, 0), max((Double(y) + 0.5) / scale - 0.5, 0))
        let (left, top) = (min(Int(u), width - 1), min(Int(v), height - 1))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (fx, fy) = (u - Double(left), v - Double(top))
        func at(_ x: Int, _ y: Int) -> Double { Double(pixels[y * width + x]) }
        let upper = at(left, top) * (1 - fx) + at(right, top) * fx
        let lower = at(left, bottom) * (1 - fx) + at(right, bottom) * fx
        return UInt8(min(max(upper * (1 - fy) + lower * fy + 0.5, 0), 255))
    }
}
