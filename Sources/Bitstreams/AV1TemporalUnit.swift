/// Temporal units as samples (AV1-ISOBMFF §2.4).
package enum AV1TemporalUnit {
    private static let unwanted: Set<UInt8> = [
        AV1OpenBitstreamUnit.UnitType.temporalDelimiter, AV1OpenBitstreamUnit.UnitType.padding, AV1OpenBitstreamUnit.UnitType.tileList,
    ]

    /// Takes out what a sample should not hold: temporal delimiters, padding and tile lists; metadata stays. `nil` when nothing had to go.
    ///
    /// A unit that overruns the sample ends it: what came before is whole. A sample without any whole unit is left alone.
    package static func cleaned(_ sample: UnsafeRawBufferPointer) -> [UInt8]? {
        let (units, dropped) = AV1OpenBitstreamUnit.units(in: sample)
        guard !units.isEmpty, dropped > 0 || units.contains(where: { unwanted.contains($0.type) }) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(sample.count)
        for unit in units where !unwanted.contains(unit.type) { output.append(contentsOf: sample[unit.range]) }
        return output
    }

    /// Whether the sample ends inside a unit.
    package static func isOverrun(_ sample: UnsafeRawBufferPointer) -> Bool { AV1OpenBitstreamUnit.units(in: sample).droppedByteCount > 0 }
}
