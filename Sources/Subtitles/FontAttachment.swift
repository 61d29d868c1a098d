package import Libav

/// A font a container carries for its styled subtitles.
package struct FontAttachment: Sendable, Hashable {
    package let name: String
    /// As the container says it; empty where it does not.
    package let mimeType: String
    package let bytes: [UInt8]

    /// - Returns: `nil` for what is no attachment, or no font by its type or name.
    package init?(_ stream: StreamInfo) {
        guard stream.kind == .attachment, !stream.extradata.isEmpty else { return nil }
        name = stream.metadata["filename"] ?? ""
        mimeType = (stream.metadata["mimetype"] ?? "").lowercased()
        bytes = stream.extradata
        let isFont = mimeType.contains("font") || mimeType.contains("truetype") || mimeType.contains("opentype")
        guard isFont || [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"].contains(where: name.lowercased().hasSuffix) else { return nil }
    }
}
