/// The parameters of DefineWindow (CTA-708-E §8.10.5).
struct CEA708WindowDefinition: Sendable, Hashable {
    var isVisible: Bool
    var locksRows: Bool
    var locksColumns: Bool
    /// 0 is the highest.
    var priority: Int
    /// Anchor positions are hundredths of the safe title area, not cells of its grid.
    var isRelative: Bool
    /// Cells of 75 rows, or per cent.
    var anchorVertical: Int
    /// Cells of 210 columns on a wide picture and of 160 on one of 4:3, or per cent.
    var anchorHorizontal: Int
    /// Which point of the window lies there: 0…8 from its top left, row by row.
    var anchorPoint: Int
    /// 1…15.
    var rowCount: Int
    /// 1…42.
    var columnCount: Int
    /// 0 keeps what an existing window has, and is 1 for a new one.
    var windowStyle: Int
    var penStyle: Int

    static let rowLimit = 15
    static let columnLimit = 42

    /// - Parameter parameters: The command's six bytes. Sizes beyond what a window may have are cut to it.
    init(_ parameters: [UInt8]) {
        let bytes = parameters + Array(repeating: 0, count: max(0, 6 - parameters.count))
        isVisible = bytes[0] & 0x20 != 0
        locksRows = bytes[0] & 0x10 != 0
        locksColumns = bytes[0] & 0x08 != 0
        priority = Int(bytes[0] & 7)
        isRelative = bytes[1] & 0x80 != 0
        anchorVertical = Int(bytes[1] & 0x7F)
        anchorHorizontal = Int(bytes[2])
        anchorPoint = min(Int(bytes[3] >> 4), 8)
        rowCount = min(Int(bytes[3] & 0x0F) + 1, Self.rowLimit)
        columnCount = min(Int(bytes[4] & 0x3F) + 1, Self.columnLimit)
        windowStyle = Int(bytes[5] >> 3 & 7)
        penStyle = Int(bytes[5] & 7)
    }
}
