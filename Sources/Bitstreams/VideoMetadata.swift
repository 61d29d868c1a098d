internal import BitsAndTime

/// What an access unit says of its picture's brightness and colour beside the picture: SEI messages of H.264 and H.265, metadata OBUs of AV1.
package struct VideoMetadata: Sendable, Equatable {
    package var masteringDisplay: MasteringDisplayColourVolume?
    package var contentLight: ContentLightLevelInformation?
    /// preferred_transfer_characteristics: what displays that know it should take the pictures for (ITU-T H.265 §D.3.37). 18 on top of
    /// BT.2020 or BT.709 in the VUI is how broadcasters carry HLG.
    package var preferredTransfer: Int?
    package var hdr10Plus: HDR10PlusMetadata?
    package var hdrVivid: HDRVividMetadata?
    /// An AV1 T.35 message with Dolby Vision's prefix.
    package var hasDolbyVisionUserData = false
    /// Everything was read to its end. Without that nothing can be said to be missing.
    package var isWhole = true

    package init() {}

    /// - Parameter framing: Of NAL units; AV1 has none.
    package init(sample: UnsafeRawBufferPointer, codec: RandomAccess.Codec, framing: NALUnitFraming) {
        if codec == .av1 { readUnits(sample) } else { readNALUnits(sample, codec: codec, framing: framing) }
    }

    package init(sample: ArraySlice<UInt8>, codec: RandomAccess.Codec, framing: NALUnitFraming) {
        self = sample.withUnsafeBytes { VideoMetadata(sample: $0, codec: codec, framing: framing) }
    }

    /// Of units that stand outside of samples: a record may hold SEI messages that come nowhere else.
    package init(units: [ArraySlice<UInt8>], codec: RandomAccess.Codec) {
        for unit in units { read(unit, codec: codec) }
    }

    /// Takes what is not known here from `other`.
    package mutating func fill(from other: VideoMetadata) {
        masteringDisplay = masteringDisplay ?? other.masteringDisplay
        contentLight = contentLight ?? other.contentLight
        preferredTransfer = preferredTransfer ?? other.preferredTransfer
        hdr10Plus = hdr10Plus ?? other.hdr10Plus
        hdrVivid = hdrVivid ?? other.hdrVivid
        hasDolbyVisionUserData = hasDolbyVisionUserData || other.hasDolbyVisionUserData
    }

    private mutating func readNALUnits(_ sample: UnsafeRawBufferPointer, codec: RandomAccess.Codec, framing: NALUnitFraming) {
        let (ranges, dropped) = NALUnitSequence.units(in: sample, framing: framing)
        isWhole = dropped == 0 && !ranges.isEmpty
        for range in ranges where SEIMessage.isSEI(sample[range.lowerBound], codec: codec) { read(Array(sample[range])[...], codec: codec) }
    }

    private mutating func read(_ unit: ArraySlice<UInt8>, codec: RandomAccess.Codec) {
        guard let first = unit.first, SEIMessage.isSEI(first, codec: codec) else { return }
        // An enhancement layer's says nothing of the picture that is served.
        if codec == .hevc, unit.count < 2 || first & 1 != 0 || unit[unit.startIndex + 1] >> 3 != 0 { return }
        let (messages, isWhole) = SEIMessage.messages(in: unit, headerByteCount: codec == .avc ? 1 : 2)
        self.isWhole = self.isWhole && isWhole
        for message in messages { take(message) }
    }

    private mutating func readUnits(_ sample: UnsafeRawBufferPointer) {
        let (units, dropped) = AV1OpenBitstreamUnit.units(in: sample)
        isWhole = dropped == 0 && !units.isEmpty
        for unit in units where unit.type == AV1OpenBitstreamUnit.UnitType.metadata {
            do throws(ParseError) {
                switch try AV1Metadata(parsing: Array(sample[unit.payload])[...]) {
                case .contentLight(let level): contentLight = contentLight ?? level
                case .masteringDisplay(let display): masteringDisplay = masteringDisplay ?? display
                case .registeredUserData(let data): take(data)
                case .other: break
                }
            } catch {
                isWhole = false
            }
        }
    }

    /// The first of each kind counts.
    private mutating func take(_ message: SEIMessage) {
        do throws(ParseError) {
            switch message.payloadType {
            case SEIMessage.PayloadType.registeredUserData: take(try RegisteredUserData(parsing: message.payload[...]))
            case SEIMessage.PayloadType.masteringDisplayColourVolume:
                let display = try MasteringDisplayColourVolume(seiPayload: message.payload[...])
                masteringDisplay = masteringDisplay ?? display
            case SEIMessage.PayloadType.contentLightLevel:
                let level = try ContentLightLevelInformation(parsing: message.payload[...])
                contentLight = contentLight ?? level
            case SEIMessage.PayloadType.alternativeTransferCharacteristics:
                if preferredTransfer == nil { preferredTransfer = message.payload.first.map(Int.init) }
            default: break
            }
        } catch {
            isWhole = false
        }
    }

    private mutating func take(_ data: RegisteredUserData) {
        switch data.content {
        case .hdr10Plus(let metadata): hdr10Plus = hdr10Plus ?? metadata
        case .hdrVivid(let metadata): hdrVivid = hdrVivid ?? metadata
        case .dolbyVision: hasDolbyVisionUserData = true
        case .other: break
        }
    }
}
