import Testing
import ISOBMFF

/// One thing wrong, and what is to be found.
struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    /// The rule that must be among the findings.
    let rule: String
    /// Rules that the same fault cannot but break as well.
    let also: Set<String>
    let make: @Sendable (inout ReferencePresentation) -> Void

    init(_ rule: String, _ name: String, also: Set<String> = [], _ make: @escaping @Sendable (inout ReferencePresentation) -> Void) {
        self.rule = rule
        self.name = name
        self.also = also
        self.make = make
    }

    var testDescription: String { "\(rule): \(name)" }
}

extension Fault {
    /// In a text file: the first `old` becomes `new`.
    static func edit(_ rule: String, _ file: String, _ old: String, _ new: String, also: Set<String> = []) -> Fault {
        Fault(rule, "\(file): \(old) becomes \(new)", also: also) { $0.edit(file, old, new) }
    }

    /// Of the multivariant playlist.
    static func master(_ rule: String, _ old: String, _ new: String, also: Set<String> = []) -> Fault { edit(rule, "master.m3u8", old, new, also: also) }

    /// Of the higher variant's playlist.
    static func media(_ rule: String, _ old: String, _ new: String, also: Set<String> = []) -> Fault { edit(rule, "hi/index.m3u8", old, new, also: also) }
}

extension ReferencePresentation {
    mutating func edit(_ name: String, _ old: String, _ new: String) {
        guard let file = files[name], let at = file.bytes.firstRange(of: Array(old.utf8)) else {
            mistakes.append("\(name) has no \(old)")
            return
        }
        files[name]?.bytes.replaceSubrange(at, with: Array(new.utf8))
    }

    /// Overwrites bytes behind the `occurrence`th box type of a file, counted from that type's first byte.
    mutating func patch(_ name: String, _ type: String, at offset: Int, _ bytes: [UInt8], occurrence: Int = 0) {
        guard let file = files[name] else {
            mistakes.append(name)
            return
        }
        var from = 0
        var found: Int?
        for _ in 0...occurrence {
            found = file.bytes[from...].firstRange(of: Array(type.utf8))?.lowerBound
            from = (found ?? file.bytes.count - 1) + 1
        }
        guard let found, found + offset >= 0, found + offset + bytes.count <= file.bytes.count else {
            mistakes.append("\(name) has no \(type)")
            return
        }
        files[name]?.bytes.replaceSubrange((found + offset)..<(found + offset + bytes.count), with: bytes)
    }

    /// Takes a box away by making it one that nobody reads.
    mutating func hide(_ name: String, _ type: String) { patch(name, type, at: 0, Array("skip".utf8)) }

    mutating func initialize(_ name: String, _ change: (inout InitializationSegment) -> Void) {
        var segment = name.hasPrefix("audio") ? Self.audioInitialization : Self.videoInitialization
        change(&segment)
        files[name]?.bytes = segment.serialized()
    }

    mutating func visual(_ name: String, _ change: (inout VisualSampleEntry) -> Void) {
        initialize(name) { segment in
            guard case .visual(var entry) = segment.sampleEntry else { return }
            change(&entry)
            segment.sampleEntry = .visual(entry)
        }
    }

    mutating func audio(_ name: String, _ change: (inout AudioSampleEntry) -> Void) {
        initialize(name) { segment in
            guard case .audio(var entry) = segment.sampleEntry else { return }
            change(&entry)
            segment.sampleEntry = .audio(entry)
        }
    }

    /// Rebuilds segment `index` of a folder.
    mutating func segment(_ folder: String, _ index: Int, _ change: (inout Segment) -> Void) {
        var segment = folder.hasPrefix("audio") ? Self.audioSegment(index) : Self.videoSegment(index, pictureBytes: folder == "lo" ? 60 : 120)
        change(&segment)
        files["\(folder)/seg\(index).m4s"]?.bytes = segment.bytes
    }
}

extension RangeReplaceableCollection where Element: Equatable, Self: RandomAccessCollection, Index == Int {
    func firstRange(of other: [Element]) -> Range<Int>? {
        guard !other.isEmpty, count >= other.count else { return nil }
        var at = startIndex
        while at + other.count <= endIndex {
            if self[at] == other[0], self[at..<(at + other.count)].elementsEqual(other) { return at..<(at + other.count) }
            at += 1
        }
        return nil
    }
}
