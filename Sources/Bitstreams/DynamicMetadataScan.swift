/// Looks for HDR10+ and HDR Vivid in the access units it is given, and answers what they prove.
///
/// No container declares either, and a stream may begin without: nothing short of the whole film shows that it has none. So the scan says
/// what it saw, or that it saw nothing in so many whole access units, or that it cannot say.
package struct DynamicMetadataScan: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// A message was found whose whole structure is right. The version is HDR10+'s; HDR Vivid has none.
        case present(applicationVersion: UInt8?)
        /// None in that many access units, each read to its end.
        case absentWithinScan(accessUnits: Int)
        case unknown
    }

    /// Encoders that write either do so with every picture or every scene cut; a second of film is looked at.
    package static let accessUnitLimit = 24

    package let codec: RandomAccess.Codec
    private(set) package var accessUnitCount = 0
    private var damagedCount = 0
    private var hdr10PlusVersion: UInt8?
    private var sawVivid = false

    package init(codec: RandomAccess.Codec) { self.codec = codec }

    /// Whether more access units can change an answer that matters.
    package var isFinished: Bool { accessUnitCount >= Self.accessUnitLimit || (hdr10PlusVersion != nil && sawVivid) }

    /// - Parameter framing: How the access unit's NAL units lie.
    package mutating func look(at accessUnit: UnsafeRawBufferPointer, framing: NALUnitFraming) {
        take(VideoMetadata(sample: accessUnit, codec: codec, framing: framing))
    }

    package mutating func take(_ metadata: VideoMetadata) {
        guard !isFinished else { return }
        accessUnitCount += 1
        if !metadata.isWhole { damagedCount += 1 }
        if let found = metadata.hdr10Plus, hdr10PlusVersion == nil { hdr10PlusVersion = found.applicationVersion }
        sawVivid = sawVivid || metadata.hdrVivid != nil
    }

    package var hdr10Plus: Verdict { hdr10PlusVersion.map { .present(applicationVersion: $0) } ?? none }
    package var hdrVivid: Verdict { sawVivid ? .present(applicationVersion: nil) : none }

    private var none: Verdict { accessUnitCount > 0 && damagedCount == 0 ? .absentWithinScan(accessUnits: accessUnitCount) : .unknown }
}
