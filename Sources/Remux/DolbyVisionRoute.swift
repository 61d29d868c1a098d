package import DolbyVision

/// How a track's Dolby Vision is served: the sample entry, the record in it, CODECS and SUPPLEMENTAL-CODECS all follow from this one value.
///
/// Apple HLS Authoring Specification §1.10 and §1.11; Dolby Vision Streams Within the HTTP Live Streaming Format, version 2.0.
package struct DolbyVisionRoute: Sendable, Equatable {
    package enum Signalling: Sendable, Equatable {
        /// Sample entry and CODECS are Dolby Vision's: no base layer stands alone.
        case primary
        /// They are the base layer's, the record stands beside its configuration, and SUPPLEMENTAL-CODECS names it with this brand.
        case supplemental(brand: String)
        /// The base layer alone.
        case none
    }

    package let signalling: Signalling
    /// What the sample entry says; `nil` where nothing is claimed.
    package let record: DolbyVisionConfigurationRecord?
    /// What the source is, after whatever its record got wrong was set right.
    package let sourceProfile: UInt8
    package let sourceCompatibilityID: UInt8
    /// Whether units are rewritten from profile 7 to 8.1.
    package let convertsProfile7: Bool
    /// Whether enhancement layer units are in the samples, and left out.
    package let dropsEnhancementLayer: Bool
    package let findings: [DolbyVisionFinding]
    /// Whether the pictures show something without it.
    package let hasBaseLayer: Bool
    /// CODECS of the base layer, where CODECS names Dolby Vision over one.
    package internal(set) var baseCodecString: String?

    /// - Returns: `nil` for a track without Dolby Vision.
    package init?(_ evidence: DolbyVisionEvidence, preferences: DolbyVisionPreferences = .init()) {
        guard evidence.codec == .hevc || evidence.codec == .av1 || evidence.record != nil else { return nil }
        var findings: [DolbyVisionFinding] = []
        guard var record = evidence.record ?? Self.missingRecord(evidence) else { return nil }
        if evidence.record == nil { findings.append(.recordMissing(profile: Int(record.profile))) }

        if evidence.codec == .hevc, record.profile == 5, evidence.namesBaseLayer {
            if let told = evidence.unit?.profile, told == 7 || told == 8 {
                findings.append(.recordContradicted(recorded: 5, unit: Int(told)))
                record.profile = told
                record.compatibilityID = told == 7 ? 6 : evidence.transfer == 18 ? 4 : 1
                record.hasEnhancementLayer = told == 7
            } else if evidence.unit?.profile != 5 {
                findings.append(.recordDoubtful(profile: 5))
            }
        }
        // Units of profile 7 under a record of 8 are what a remuxer leaves that dropped a layer and converted nothing.
        if evidence.codec == .hevc, record.profile == 8, evidence.unit?.profile == 7 {
            findings.append(.recordContradicted(recorded: 8, unit: 7))
            (record.profile, record.compatibilityID) = (7, 6)
        }
        sourceProfile = record.profile
        sourceCompatibilityID = record.compatibilityID
        dropsEnhancementLayer = evidence.hasEnhancementUnits
        hasBaseLayer = Self.hasBaseLayer(record, evidence)

        let isBaseOnly = preferences.handling == .baseLayerOnly
        if isBaseOnly, !Self.hasBaseLayer(record, evidence) { findings.append(.noBaseLayer(profile: Int(record.profile))) }
        let hasUnits = evidence.unit != nil || evidence.companionStream != nil || !evidence.wasSearched
        var outcome: (signalling: Signalling, record: DolbyVisionConfigurationRecord?, converts: Bool) = (.none, nil, false)
        if isBaseOnly, Self.hasBaseLayer(record, evidence) {
            findings.append(.baseLayerOnly)
        } else {
            switch (evidence.codec, record.profile) {
            case (.hevc, 5):
                record.hasEnhancementLayer = false
                outcome = (.primary, record, false)
            case (.av1, 10) where record.compatibilityID == 0:
                outcome = (.primary, record, false)
            case (.av1, 10) where !preferences.signalsAV1:
                findings.append(.notSignalledInAV1)
            case (.hevc, 7), (.hevc, 8), (.av1, 10):
                if hasUnits {
                    outcome = Self.crossCompatible(record, evidence, preferences, &findings)
                } else {
                    findings.append(.noUnits(profile: Int(record.profile)))
                }
            default:
                findings.append(.notRoutable(profile: Int(record.profile), compatibilityID: Int(record.compatibilityID)))
            }
        }
        if evidence.hasEnhancementUnits || evidence.companionStream != nil, outcome.converts {
            findings.append(.enhancementLayerLeftOut(isFull: evidence.unit?.enhancementLayer.map { $0 == .full }))
        }
        (signalling, self.record, convertsProfile7) = outcome
        self.findings = findings
    }

    /// The record a stream should have had, by its first unit: in Matroska whose block addition mapping was dropped, and in transport streams.
    private static func missingRecord(_ evidence: DolbyVisionEvidence) -> DolbyVisionConfigurationRecord? {
        guard let profile = evidence.unit?.profile else { return nil }
        let own: UInt8 = evidence.codec == .av1 ? 10 : profile
        switch profile {
        case 5 where evidence.isColourUnspecified && evidence.bitDepth == 10:
            return DolbyVisionConfigurationRecord(profile: own, level: evidence.level, compatibilityID: 0)
        case 7 where evidence.codec == .hevc:
            return DolbyVisionConfigurationRecord(profile: 7, level: evidence.level, compatibilityID: 6, hasEnhancementLayer: true)
        case 8:
            guard let compatibility = baseLayerCompatibility(evidence.transfer) else { return nil }
            return DolbyVisionConfigurationRecord(profile: own, level: evidence.level, compatibilityID: compatibility)
        default:
            return nil
        }
    }

    /// What pictures of these transfer characteristics are by themselves; `nil` where they do not say.
    private static func baseLayerCompatibility(_ transfer: Int?) -> UInt8? {
        switch transfer {
        case 16: 1
        case 18: 4
        case nil: nil
        default: 2
        }
    }

    /// Whether there is a picture to show without Dolby Vision.
    private static func hasBaseLayer(_ record: DolbyVisionConfigurationRecord, _ evidence: DolbyVisionEvidence) -> Bool {
        switch record.profile {
        case 5: evidence.namesBaseLayer
        case 10 where record.compatibilityID == 0: evidence.namesBaseLayer
        default: true
        }
    }

    /// Profiles whose base layer plays by itself. The pictures' own word on what they are goes before the record's: the playlist, the colour
    /// box and the record must say the same.
    private static func crossCompatible(
        _ source: DolbyVisionConfigurationRecord, _ evidence: DolbyVisionEvidence, _ preferences: DolbyVisionPreferences,
        _ findings: inout [DolbyVisionFinding]
    ) -> (signalling: Signalling, record: DolbyVisionConfigurationRecord?, converts: Bool) {
        var record = source
        let converts = record.profile == 7
        if converts {
            record.profile = 8
            record.compatibilityID = 1
        }
        // A second layer's own record says that it has no base layer: what is served is nothing but that.
        (record.hasEnhancementLayer, record.hasBaseLayer) = (false, true)
        let named = baseLayerCompatibility(evidence.transfer)
        // A telephone's HLG may be marked as BT.2020, and its alternative transfer characteristics given in a message.
        let isHLGMarkedAsSDR = record.compatibilityID == 4 && (evidence.transfer == 14 || evidence.transfer == 1)
        // 6 is what Ultra HD Blu-ray's base layer is called: HDR10. Players know it of profile 7 only.
        let told = record.compatibilityID == 6 ? 1 : record.compatibilityID
        let compatibility = isHLGMarkedAsSDR ? 4 : named ?? told
        guard told == 1 || told == 2 || told == 4, compatibility == 1 || compatibility == 4 else {
            findings.append(.notRoutable(profile: Int(source.profile), compatibilityID: Int(source.compatibilityID)))
            return (.none, nil, false)
        }
        guard told == compatibility else {
            findings.append(.compatibilityContradicted(recorded: Int(source.compatibilityID), transfer: evidence.transfer))
            return (.none, nil, false)
        }
        if !converts, source.compatibilityID != compatibility {
            findings.append(.compatibilityNormalised(recorded: Int(source.compatibilityID), served: Int(compatibility)))
        }
        record.compatibilityID = compatibility
        if preferences.claimsProfile5, evidence.codec == .hevc, compatibility == 1 {
            findings.append(.claimedAsProfile5)
            record.profile = 5
            record.compatibilityID = 0
            return (.primary, record, converts)
        }
        return (.supplemental(brand: compatibility == 1 ? "db1p" : "db4h"), record, converts)
    }
}
