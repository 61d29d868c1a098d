/// One line of an ASS script's events without its times, as Matroska stores it and as libavcodec gives every text format.
///
/// Source: Matroska, codec mapping S_TEXT/ASS: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text".
package struct ASSEvent: Sendable, Hashable {
    /// Its place among the script's lines; many real files have 0 at all of them.
    package let readOrder: Int?
    package let layer: Int?
    package let style: String
    /// 0: the style's own.
    package let verticalMargin: Double
    /// With its override blocks; all that follows the eighth comma.
    package let text: String
    /// "Style,Name,MarginL,MarginR,MarginV,Effect,Text": the fields behind the layer as they stand.
    package let fields: String

    /// - Returns: `nil` for a line with fewer fields.
    package init?(_ line: String) {
        var bytes = Array(line.utf8)[...]
        var heads: [ArraySlice<UInt8>] = []
        var behindLayer = bytes
        for index in 0..<8 {
            guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
            heads.append(bytes[..<comma])
            bytes = bytes[(comma + 1)...]
            if index == 1 { behindLayer = bytes }
        }
        readOrder = heads[0].trimmed.decimal()
        layer = heads[1].trimmed.decimal()
        style = heads[2].trimmed.string
        verticalMargin = heads[6].trimmed.number ?? 0
        text = bytes.string
        fields = behindLayer.string
    }
}
