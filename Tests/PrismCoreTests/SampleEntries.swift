import Foundation

/// An MP4 of one track, `moov` last, with one more sample entry than its samples use.
enum SampleEntries {
    struct Unsuitable: Error {}

    /// Adds a copy of the first entry that `change` has been at.
    static func add(to url: URL, change: (inout [UInt8]) -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: url))
        func number(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var at = 0
        var path: [Int] = []
        for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd"] {
            let mark = Array(name.utf8)
            guard let found = (at..<(bytes.count - 4)).first(where: { bytes[$0..<($0 + 4)].elementsEqual(mark) }) else { throw Unsuitable() }
            at = found - 4
            path.append(at)
        }
        guard path[0] + number(path[0]) == bytes.count else { throw Unsuitable() }
        let first = at + 16
        var entry = Array(bytes[first..<(first + number(first))])
        change(&entry)
        entry.replaceSubrange(0..<4, with: big(entry.count))
        let end = first + number(first)
        bytes.replaceSubrange((at + 12)..<(at + 16), with: big(number(at + 12) + 1))
        for box in path { bytes.replaceSubrange(box..<(box + 4), with: big(number(box) + entry.count)) }
        bytes.insert(contentsOf: entry, at: end)
        try Data(bytes).write(to: url)
    }
}
