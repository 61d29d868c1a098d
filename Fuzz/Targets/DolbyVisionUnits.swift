internal import BitsAndTime
internal import DolbyVision

/// Reference processing units in each form and, since no mutation keeps a checksum, with theirs put right; configuration records.
@Sendable func fuzzDolbyVision(_ input: [UInt8]) {
    if let unit = accepted({ () throws(ParseError) in try ReferenceProcessingUnit(parsingUnit: input[...]) }) {
        law("a unit is written as it was", unit.serialized() == input)
    }
    for body in [input, [0x19] + input, Array(input.dropLast(5))] {
        let checksum = RPUChecksum.of(body.dropFirst())
        let sealed = body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> UInt32($0)) } + [0x80]
        guard let unit = accepted({ () throws(ParseError) in try ReferenceProcessingUnit(parsingUnit: sealed[...]) }) else { continue }
        law("a sealed unit is written as it was", unit.serialized() == sealed)
        forms(of: unit)
        for target in ReferenceProcessingUnit.Target.allCases {
            guard let converted = accepted({ () throws(ParseError) in try unit.converted(to: target) }) else { continue }
            let written = converted.serialized()
            let again = accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsingUnit: written[...]) }
            law("what was converted reads as it was written", again?.serialized() == written)
        }
    }
    _ = accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsing: input) }
    _ = accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsingT35: input[...]) }
    if let record = accepted({ () throws(ParseError) in try DolbyVisionConfigurationRecord(parsing: input) }) {
        law("a record is written as it was", record.serialized() == input)
    }
}

private func forms(of unit: ReferenceProcessingUnit) {
    let bare = unit.serialized()
    var reduced = unit
    reduced.trailingZeroCount = 0
    let nal = accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsing: unit.hevcNALUnit()) }
    law("a NAL unit holds the unit", nal?.serialized() == bare)
    let t35 = accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsingT35: unit.t35Payload()[...]) }
    law("a T.35 payload holds the unit", t35?.serialized() == reduced.serialized())
    guard let metadata = unit.displayManagement else { return }
    _ = metadata.all(Level1.self)
    _ = metadata.all(Level2.self)
    _ = metadata.all(Level3.self)
    _ = metadata.all(Level4.self)
    _ = metadata.all(Level5.self)
    _ = metadata.all(Level6.self)
    _ = metadata.all(Level8.self)
    _ = metadata.all(Level9.self)
    _ = metadata.all(Level10.self)
    _ = metadata.all(Level11.self)
    _ = metadata.all(Level254.self)
    _ = metadata.all(Level255.self)
}
