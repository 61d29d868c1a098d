package import BitsAndTime

/// Units rewritten for another profile, the display management levels unchanged and in their order.
extension ReferenceProcessingUnit {
    package enum Target: Sendable, CaseIterable {
        /// Profile 7 with a minimal enhancement layer, from profiles 7 and 8.
        case minimalEnhancementLayer
        /// A single layer that is HDR10, from profiles 5, 7 and 8.
        case profile81
        /// A single layer that is HLG, with the one mapping such streams share; from every profile of ten bits.
        case profile84
    }

    /// - Throws: `.unsupported` where the unit's profile has no such conversion.
    package consuming func converted(to target: Target) throws(ParseError) -> ReferenceProcessingUnit {
        try convert(to: target)
        return self
    }

    private mutating func convert(to target: Target) throws(ParseError) {
        let profile = self.profile
        // An empty list before less than two bytes is read as one or not by where in its byte it begins, which may change.
        if displayManagement?.version4Blocks?.count == 0, dataBeforeChecksum.count < 2 { displayManagement?.version4Blocks = nil }
        switch target {
        case .minimalEnhancementLayer:
            // With a residual, another depth of the composed picture is what tells profile 4.
            guard profile == 7 || (profile == 8 && header.vdrBitDepthMinus8 == 4) else { throw Self.unsupported(profile, target) }
            header.hasEnhancementLayerSpatialResamplingFilter = true
            header.isResidualDisabled = false
            guard case .own(var mapping) = reshaping else { return }
            mapping.inverseQuantization = .minimal(header)
            reshaping = .own(mapping)
        case .profile81:
            guard let profile, profile == 5 || profile == 7 || profile == 8 else { throw Self.unsupported(profile, target) }
            convertToProfile81(from: profile)
        case .profile84:
            guard header.baseLayerBitDepthMinus8 == 2 else { throw Self.unsupported(profile, target) }
            // How the display management payload is coded stays, or it could not be read again.
            let isCompressed = displayManagement != nil && header.displayManagementIsCompressed
            header = .profile8
            header.reservedZero3Bits = isCompressed ? 1 : 0
            reshaping = .own(.profile84)
            displayManagement?.colour?.becomeBT2020()
        }
    }

    /// A full enhancement layer's curves, and profile 5's, lead to a picture that the base layer alone is not: such a unit gets none, and the base
    /// layer stays as it was graded. The curves of the others were made for the base layer alone.
    private mutating func convertToProfile81(from profile: UInt8) {
        let keepsCurves = profile != 5 && enhancementLayer != .full
        header.hasEnhancementLayerSpatialResamplingFilter = false
        header.isResidualDisabled = true
        if profile == 5 {
            header.vdrRPUProfile = 1
            header.isBaseLayerFullRange = false
        }
        displayManagement?.colour?.becomeBT2020()
        guard case .own(var mapping) = reshaping else { return }
        reshaping = .previous(id: 0)  // So that the mapping is held once and changed in place.
        mapping.inverseQuantization = nil
        mapping.partitionsAcrossMinus1 = 0
        mapping.partitionsDownMinus1 = 0
        if !keepsCurves { mapping.curves = Array(repeating: .identity(header), count: 3) }
        reshaping = .own(mapping)
    }

    private static func unsupported(_ profile: UInt8?, _ target: Target) -> ParseError {
        ParseError(.unsupported, at: 0, in: "rpu", "a unit of \(profile.map { "profile \($0)" } ?? "no profile") does not become \(target)")
    }
}
