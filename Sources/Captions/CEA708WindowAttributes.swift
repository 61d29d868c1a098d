/// How a window is filled with text (CTA-708-E §8.10.5, SetWindowAttributes). Fill, border and effects are for receivers that draw.
struct CEA708WindowAttributes: Sendable, Hashable {
    enum Justification: UInt8, Sendable, Hashable { case left, right, centre, full }
    enum Direction: UInt8, Sendable, Hashable { case leftToRight, rightToLeft, topToBottom, bottomToTop }

    var justification = Justification.left
    var printDirection = Direction.leftToRight
    var scrollDirection = Direction.bottomToTop
    /// Long lines are broken by who writes captions: kept, not acted upon (receivers need not).
    var wrapsWords = false

    init(justification: Justification = .left, print: Direction = .leftToRight, scroll: Direction = .bottomToTop, wrapsWords: Bool = false) {
        (self.justification, printDirection, scrollDirection, self.wrapsWords) = (justification, print, scroll, wrapsWords)
    }

    /// - Parameter parameters: The command's four bytes.
    init(_ parameters: [UInt8]) {
        let bits = parameters.count > 2 ? parameters[2] : 0
        justification = Justification(rawValue: bits & 3) ?? .left
        scrollDirection = Direction(rawValue: bits >> 2 & 3) ?? .bottomToTop
        printDirection = Direction(rawValue: bits >> 4 & 3) ?? .leftToRight
        wrapsWords = bits & 0x40 != 0
    }

    /// The predefined window styles.
    static func style(_ number: Int) -> CEA708WindowAttributes {
        switch number {
        case 3: CEA708WindowAttributes(justification: .centre)
        case 4, 5: CEA708WindowAttributes(wrapsWords: true)
        case 6: CEA708WindowAttributes(justification: .centre, wrapsWords: true)
        case 7: CEA708WindowAttributes(print: .topToBottom, scroll: .rightToLeft)
        default: CEA708WindowAttributes()
        }
    }

    var isVertical: Bool { printDirection == .topToBottom || printDirection == .bottomToTop }
}
