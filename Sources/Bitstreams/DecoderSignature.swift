/// What a decoder is built from: a sequence parameter set without what every decoder takes in band, its numbers, VUI and level. Pictures of sets
/// that agree in it decode in one session; where they do not, players keep the old session, and show a frozen picture or none.
package enum DecoderSignature: Sendable, Equatable {
    case avc(AVCSequenceParameterSet)
    case hevc(HEVCSequenceParameterSet)

    package init(_ set: AVCSequenceParameterSet) {
        var set = set
        set.usability = VideoUsabilityInformation()
        (set.levelIDC, set.constraintFlags, set.hasFixedFrameRate, set.sequenceParameterSetID) = (0, 0, false, 0)
        (set.maxNumReorderFrames, set.maxDecFrameBuffering) = (nil, nil)
        self = .avc(set)
    }

    package init(_ set: HEVCSequenceParameterSet) {
        var set = set
        set.usability = VideoUsabilityInformation()
        set.profileTierLevel.levelIDC = 0
        (set.videoParameterSetID, set.sequenceParameterSetID, set.minSpatialSegmentationIDC) = (0, 0, 0)
        self = .hevc(set)
    }
}
