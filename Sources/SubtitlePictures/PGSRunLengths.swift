/// Lines of palette indices as runs of equal ones: a byte above zero is one pixel, a zero opens a longer run or ends the line.
package enum PGSRunLengths {
    /// What pixels nothing was coded for get: the index the format keeps for "transparent".
    package static let unset: UInt8 = 0xFF

    /// - Parameters:
    ///   - width: In pixels, as `height`; their product is the caller's to bound.
    /// - Returns: Rows from the top without padding, and whether every line was filled exactly: lines that are too short are filled up with ``unset``,
    ///   what goes beyond a line or the last one is left out.
    package static func decode(_ bytes: ArraySlice<UInt8>, width: Int, height: Int) -> (pixels: [UInt8], isWhole: Bool) {
        guard width > 0, height > 0 else { return ([], false) }
        var pixels = [UInt8](repeating: unset, count: width * height)
        var isWhole = true
        var (x, y, at) = (0, 0, bytes.startIndex)
        func next() -> UInt8? {
            guard at < bytes.endIndex else { return nil }
            defer { at += 1 }
            return bytes[at]
        }
        while y < height, let first = next() {
            var (length, colour) = (1, first)
            if first == 0 {
                guard let flags = next() else { return (pixels, false) }
                length = Int(flags & 0x3F)
                if flags & 0x40 != 0 {
                    guard let low = next() else { return (pixels, false) }
                    length = length << 8 | Int(low)
                }
                if flags & 0x80 != 0 {
                    guard let index = next() else { return (pixels, false) }
                    colour = index
                }
                if length == 0 {
                    if x != width { isWhole = false }
                    (x, y) = (0, y + 1)
                    continue
                }
            }
            let fitting = min(length, width - x)
            if fitting < length { isWhole = false }
            let place = y * width + x
            for index in place..<(place + fitting) { pixels[index] = colour }
            x += fitting
        }
        // The last line's end is left out by some writers.
        return (pixels, isWhole && (y == height || (y == height - 1 && x == width)))
    }

    /// The shortest coding, each line with its end.
    ///
    /// - Precondition: `pixels` holds whole rows of `width`.
    package static func encode(_ pixels: [UInt8], width: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        guard width > 0 else { return bytes }
        for start in stride(from: 0, to: pixels.count - width + 1, by: width) {
            var x = start
            while x < start + width {
                let colour = pixels[x]
                var length = 1
                while x + length < start + width, length < 0x3FFF, pixels[x + length] == colour { length += 1 }
                x += length
                if colour != 0, length < 3 {
                    for _ in 0..<length { bytes.append(colour) }
                    continue
                }
                let mark: UInt8 = colour == 0 ? 0 : 0x80
                if length < 0x40 {
                    bytes += [0, mark | UInt8(length)]
                } else {
                    bytes += [0, mark | 0x40 | UInt8(length >> 8), UInt8(length & 0xFF)]
                }
                if colour != 0 { bytes.append(colour) }
            }
            bytes += [0, 0]
        }
        return bytes
    }
}
