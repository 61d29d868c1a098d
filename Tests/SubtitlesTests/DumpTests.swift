import Foundation
import Subtitles
import Testing

@Suite struct DumpTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PRISM_DUMP"] != nil)) func dump() throws {
        let root = (ProcessInfo.processInfo.environment["PRISM_MEDIA"] ?? "") + "/subtitles"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
        for name in names {
            if name.hasPrefix("oracle") || name.hasSuffix(".ts") && name.hasPrefix("shaka") || name.hasSuffix(".rgba") { continue }
            var folder: ObjCBool = false
            if FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &folder), folder.boolValue { continue }
            guard let data = FileManager.default.contents(atPath: root + "/" + name) else { continue }
            var options = SubtitleFile.Options(formatHint: String(name.split(separator: ".").last ?? ""))
            if name.hasPrefix("exo/ssa") { options.formatHint = "ass" }
            if name.hasPrefix("exo/subrip") { options.formatHint = "srt" }
            print("== \(name)")
            let lines = CueTable.show([UInt8](data), options)
            for line in lines.prefix(12) { print("   \(line)") }
            if lines.count > 12 { print("   … \(lines.count)") }
        }
    }
}
