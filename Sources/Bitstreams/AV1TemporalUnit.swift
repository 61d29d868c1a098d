/// Temporal units as samples (AV1-ISOBMFF §2.4).
package enum AV1TemporalUnit {
    /// Takes out what a sample should not hold: temporal delimiters, padding and tile lists. `nil` when nothing had to go.
    package static func cleaned(_ sample: UnsafeRawBufferPointer) -> [UInt8]? {
        let (units, dropped) = AV1OpenBitstreamUnit.units(in: sample)
        let unwanted: Set<UInt8> = [
            AV1OpenBitstreamUnit.UnitType.temporalDelimiter, AV1OpenBitstreamUnit.UnitType.padding, AV1OpenBitstreamUnit.UnitType.tileList,
        ]
        guard dropped == 0, units.contains(where: { unwanted.contains($0.type) }) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(sample.count)
        for unit in units where !unwanted.contains(unit.type) { output.append(contentsOf: sample[unit.range]) }
        return output
    }
}
