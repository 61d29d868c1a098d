import Foundation
import PrismCore

/// What `probe` says of a picture's brightness and colour.
enum HDRWords {
    /// SDR, HDR10, HDR10+, HLG, HDR Vivid, Dolby Vision: by what was seen.
    static func format(_ video: VideoTrackInfo, of source: SourceInfo) -> String {
        // Without a base layer there is no other name for it.
        if let codec = video.codecString, codec.hasPrefix("dvh1") || codec.hasPrefix("dav1") { return "Dolby Vision" }
        let words =
            switch video.dynamicRange {
            case .sdr: "SDR"
            case .hdr10: source.hdr10Plus?.verdict == .seen ? "PQ (HDR10+)" : "PQ (HDR10)"
            case .hlg: "HLG"
            }
        let layers = [source.hdrVivid?.verdict == .seen ? "HDR Vivid" : nil, video.dolbyVision?.servedAs == nil ? nil : "Dolby Vision"].compactMap { $0 }
        return layers.isEmpty ? words : words + " with " + layers.joined(separator: " and ")
    }

    /// Lines under the track's own.
    static func lines(_ video: VideoTrackInfo, of source: SourceInfo) -> [String] {
        var lines: [String] = []
        if let dolbyVision = video.dolbyVision { lines.append("Dolby Vision: \(dolbyVision)") }
        if let display = video.masteringDisplay {
            func point(_ at: [Double]) -> String { String(format: "(%.4f, %.4f)", at[0], at[1]) }
            lines.append(
                "mastering display: red \(point(display.red)), green \(point(display.green)), blue \(point(display.blue)), white \(point(display.whitePoint)), "
                    + String(format: "%.4f to %.0f cd/m²", display.minimumLuminance, display.maximumLuminance))
        }
        if let light = video.contentLight { lines.append("content light: MaxCLL \(light.maximum), MaxFALL \(light.maximumFrameAverage) cd/m²") }
        if let finding = source.hdr10Plus, video.dynamicRange != .sdr || finding.verdict == .seen { lines.append("HDR10+: " + words(finding)) }
        return lines
    }

    private static func words(_ finding: DynamicMetadataFinding) -> String {
        switch finding.verdict {
        case .seen: "seen" + (finding.applicationVersion.map { ", application version \($0)" } ?? "")
        case .notSeenWithinBudget: "not seen in the first \(finding.packetsScanned) pictures"
        case .unknown(let reason): "unknown: \(reason)"
        }
    }
}
