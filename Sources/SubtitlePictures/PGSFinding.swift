package import BitsAndTime

/// What was wrong with a display set, or missing from it. A set with findings still ends the one before it.
package enum PGSFinding: Sendable, Equatable {
    /// A segment that ends too early, or contradicts itself.
    case malformed(ParseError)
    /// A segment type that none of the five kinds has; passed over.
    case unknownSegment(UInt8)
    /// A palette, object or end without a composition to belong to: reading began inside a set, or its composition was damaged.
    case noComposition
    /// The next set began before this one's end segment.
    case noEnd
    /// The composition names an object, or a palette, that neither this set nor an earlier one of its epoch defined.
    case missingObject(UInt16)
    case missingPalette(UInt8)
    /// The object's fragments do not make up the length it declares, or its run lengths do not fill its lines.
    case damagedObject(UInt16)
    /// One of the bounds of this package was passed; what goes beyond is left out.
    case tooLarge
    /// No packet of the set had a time.
    case noTime
}
