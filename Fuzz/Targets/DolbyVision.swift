internal import BitsAndTime
internal import DolbyVision

/// Reference processing units in each of their forms, and as a body whose checksum is put right here, or nothing behind it would be reached;
/// configuration records.
@Sendable func fuzzDolbyVision(_ input: [UInt8]) {
    if let unit = accepted({ () throws(ParseError) in try ReferenceProcessingUnit(parsing: input) }) { holds(unit) }
    if let unit = accepted({ () throws(ParseError) in try ReferenceProcessingUnit(parsingT35: input[...]) }) { holds(unit) }
    let checksum = RPUChecksum.of(input.dropFirst())
    for unit in [input, input + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) } + [0x80]] {
        guard let parsed = accepted({ () throws(ParseError) in try ReferenceProcessingUnit(parsingUnit: unit[...]) }) else { continue }
        law("a unit is written as it was read", parsed.serialized() == unit)
        holds(parsed)
    }
    if let record = accepted({ () throws(ParseError) in try DolbyVisionConfigurationRecord(parsing: input) }) {
        law("a record is written as it was read", record.serialized() == input)
    }
}

private func holds(_ unit: ReferenceProcessingUnit) {
    law("a NAL unit reads back", accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsing: unit.hevcNALUnit()) } == unit)
    var inContainer = unit
    inContainer.trailingZeroCount = 0
    law("a T.35 payload reads back", accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsingT35: unit.t35Payload()[...]) } == inContainer)
    if let payload = unit.displayManagement { holds(payload) }
    for target in ReferenceProcessingUnit.Target.allCases {
        guard let converted = accepted({ () throws(ParseError) in try unit.converted(to: target) }) else { continue }
        law("a conversion is what it says", converted.profile == (target == .minimalEnhancementLayer ? 7 : 8))
        law("and has no residual", converted.enhancementLayer != .full)
        law("and reads back", accepted { () throws(ParseError) in try ReferenceProcessingUnit(parsing: converted.hevcNALUnit()) } == converted)
        law("and its levels stay", converted.displayManagement?.blocks == unit.displayManagement?.blocks)
    }
}

private func holds(_ payload: DisplayManagementPayload) {
    func level<Level: ExtensionMetadataLevel>(_ type: Level.Type) {
        let count = payload.payloads(ofLevel: type.level).count
        law("every block holds its level's fields", payload.all(type).count == count)
        law("a level reads as it was written", payload.all(type).allSatisfy { block in
            accepted { () throws(ParseError) in try Level(parsing: block.payload()[...]) } == block
        })
    }
    level(Level1.self)
    level(Level2.self)
    level(Level3.self)
    level(Level4.self)
    level(Level5.self)
    level(Level6.self)
    level(Level8.self)
    level(Level9.self)
    level(Level10.self)
    level(Level11.self)
    level(Level254.self)
    level(Level255.self)
}
