/// What a unit alone tells of the stream it is of.
extension ReferenceProcessingUnit {
    package enum EnhancementLayer: Sendable, Equatable {
        /// Nothing is added to the mapped base layer: it can be left out.
        case minimal
        /// A residual is added.
        case full
    }

    /// 4, 5, 7, 8 or 9; `nil` where the unit fits none. Profile 10 and 20 units read 5 (no compatible base layer) or 8.
    ///
    /// A second layer of the base layer's own size has no resampling filter (profile 7 below 4K), so the residual alone tells of it.
    package var profile: UInt8? {
        switch header.vdrRPUProfile {
        case 0: header.isBaseLayerFullRange ? 5 : nil
        case 1 where !header.isResidualDisabled: header.vdrBitDepthMinus8 == 4 ? 7 : 4
        case 1: header.baseLayerBitDepthMinus8 == 0 ? 9 : 8
        default: nil
        }
    }

    /// `nil` where there is none, and where the curves are those of an earlier unit.
    package var enhancementLayer: EnhancementLayer? {
        guard let inverseQuantization = mapping?.inverseQuantization else { return nil }
        return inverseQuantization == .minimal(header) ? .minimal : .full
    }
}
