import Foundation
import Testing

/// One set of `dolby-vision/rpu-golden`: units, and what the reference library made of each.
struct GoldenSet {
    struct Case {
        let index: Int
        let label: String
        let inputKind: String
        let input: [UInt8]
        let wasAccepted: Bool
        let facts: [String: Any]
        /// Modes 0…4; empty where the library gave none.
        let outputs: [[UInt8]]
        let t35: [UInt8]
    }

    let name: String
    let cases: [Case]

    nonisolated static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    static func all() throws -> [GoldenSet] {
        let folder = URL(filePath: media ?? "").appending(path: "dolby-vision/rpu-golden")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        return try names.sorted().map { try GoldenSet(named: $0, in: folder) }
    }

    /// Lists of units in `dolby-vision/streams`, by the stream's name.
    static func streams(suffix: String) throws -> [String: [[UInt8]]] {
        let folder = URL(filePath: media ?? "").appending(path: "dolby-vision/streams")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
        return Dictionary(uniqueKeysWithValues: try names.map { (String($0.dropLast(suffix.count)), try records(folder.appending(path: $0))) })
    }

    private init(named name: String, in folder: URL) throws {
        self.name = name
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: name + ".json"))) as? [[String: Any]])
        let inputs = try Self.records(folder.appending(path: name + ".in.bin"))
        let outputs = try (0...4).map { try Self.records(folder.appending(path: "\(name).mode\($0).bin")) }
        let payloads = try Self.records(folder.appending(path: name + ".t35.bin"))
        try #require(inputs.count == facts.count && payloads.count == facts.count && outputs.allSatisfy { $0.count == facts.count })
        cases = facts.enumerated().map { index, fact in
            Case(
                index: index, label: fact["label"] as? String ?? "", inputKind: fact["input_kind"] as? String ?? "", input: inputs[index],
                wasAccepted: fact["ok"] as? Bool ?? false, facts: fact["facts"] as? [String: Any] ?? [:], outputs: outputs.map { $0[index] },
                t35: payloads[index])
        }
    }

    private static func records(_ file: URL) throws -> [[UInt8]] {
        let bytes = [UInt8](try Data(contentsOf: file))
        var records: [[UInt8]] = []
        var at = 0
        while at + 4 <= bytes.count {
            let count = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
            records.append(Array(bytes[(at + 4)..<(at + 4 + count)]))
            at += 4 + count
        }
        return records
    }
}
