internal import BitsAndTime
internal import Bitstreams
package import Libav

/// What parameter sets say of a track's pictures, so that nothing has to be decoded to describe it: libavformat decodes H.264 and H.265
/// where it has no configuration record, or does not trust it for the order of pictures.
package enum ProbeKnowledge {
    /// Streams that libavformat need not decode to describe: asked before it probes, with what the container's header says.
    ///
    /// - Parameter isLocal: The source is a file here. A stream without parameter sets in its header then costs reading some megabytes
    ///   more; over a network those take longer than a picture takes to decode.
    package static func known(of streams: [StreamInfo], formatName: String, isLocal: Bool) -> [Int: KnownPictures] {
        var known: [Int: KnownPictures] = [:]
        for stream in streams where stream.kind == .video && !stream.isAttachedPicture {
            if isLocal, formatName == "mpegts", stream.extradata.isEmpty, stream.codec == .h264 || stream.codec == .hevc {
                // Every picture has its decode time: nothing hangs on their order.
                known[stream.index] = KnownPictures()
            } else if let set = statedSet(stream), let order = reordering(set), let format = pixelFormatName(PictureFormat(set)) {
                // MP4's times may show more than the set admits.
                known[stream.index] = KnownPictures(pixelFormatName: format, reorderedPictures: max(order, stream.videoDelay))
            }
        }
        return known
    }

    /// The stream with what its parameter sets say where libavformat, which decoded nothing, does not know; the sets' range and colours
    /// go before the container's.
    ///
    /// - Parameter head: Its first packets, in file order.
    package static func completed(_ stream: StreamInfo, head: [Packet]) -> StreamInfo {
        var stream = stream
        let packets = head.filter(\.isKeyframe).prefix(4)
        switch stream.codec {
        case .h264:
            guard let set = avcSet(stream, packets) else { return stream }
            complete(&stream, PictureFormat(set), usability: set.usability, order: reordering(set) ?? 0)
        case .hevc:
            guard let set = hevcSet(stream, packets) else { return stream }
            complete(&stream, PictureFormat(set), usability: set.usability, order: Int(set.maxNumReorderPics))
        default: break
        }
        return stream
    }

    // MARK: Parameter sets

    /// The one set of a configuration record, of a container that states the frame rate as well: where it does not, libavformat counts
    /// with the rate of the decoder.
    private static func statedSet(_ stream: StreamInfo) -> AVCSequenceParameterSet? {
        guard stream.codec == .h264, stream.averageFrameRate != nil, stream.extradata.first == 1 else { return nil }
        do throws(ParseError) {
            let record = try AVCDecoderConfigurationRecord(parsing: stream.extradata)
            guard record.sequenceParameterSets.count == 1 else { return nil }
            return record.firstSequenceParameterSet
        } catch {
            return nil
        }
    }

    /// `nil` where only the pictures tell.
    private static func reordering(_ set: AVCSequenceParameterSet) -> Int? {
        // Of type 2, pictures come in the order they are shown.
        set.maxNumReorderFrames.map { Int(min($0, 16)) } ?? (set.pictureOrderCountType == 2 ? 0 : nil)
    }

    private static func avcSet(_ stream: StreamInfo, _ packets: ArraySlice<Packet>) -> AVCSequenceParameterSet? {
        if let set = statedSet(stream) { return set }
        for unit in units(stream, packets) where unit.first.map({ $0 & 0x1F == 7 }) ?? false {
            do throws(ParseError) { return try AVCSequenceParameterSet(parsing: unit) } catch { continue }
        }
        return nil
    }

    private static func hevcSet(_ stream: StreamInfo, _ packets: ArraySlice<Packet>) -> HEVCSequenceParameterSet? {
        // nuh_layer_id 0: the sets of further layers describe other pictures.
        for unit in units(stream, packets) where unit.count > 2 && unit[unit.startIndex] == 33 << 1 && unit[unit.startIndex + 1] >> 3 == 0 {
            do throws(ParseError) { return try HEVCSequenceParameterSet(parsing: unit) } catch { continue }
        }
        return nil
    }

    /// The stream's own units first: what libavformat took out of its first packets.
    private static func units(_ stream: StreamInfo, _ packets: ArraySlice<Packet>) -> [ArraySlice<UInt8>] {
        var units = NALUnitSequence.units(in: stream.extradata, framing: .annexB)
        for packet in packets { units += NALUnitSequence.units(in: packet.bytes, framing: .annexB) }
        return units
    }

    // MARK: Pictures

    private struct PictureFormat {
        let width, height: Int
        let chromaFormatIDC: UInt32
        let lumaDepth, chromaDepth: Int
        let isFullRange: Bool

        init(_ set: AVCSequenceParameterSet) {
            (width, height, chromaFormatIDC, lumaDepth, chromaDepth) = (set.width, set.height, set.chromaFormatIDC, set.bitDepthLuma, set.bitDepthChroma)
            isFullRange = set.usability.isFullRange ?? false
        }

        init(_ set: HEVCSequenceParameterSet) {
            (width, height, chromaFormatIDC, lumaDepth, chromaDepth) = (set.width, set.height, set.chromaFormatIDC, set.bitDepthLuma, set.bitDepthChroma)
            isFullRange = set.usability.isFullRange ?? false
        }
    }

    /// libav's name, for the formats films have; nil for others, and for those it names by more than shape and depth.
    private static func pixelFormatName(_ format: PictureFormat) -> String? {
        guard format.lumaDepth == format.chromaDepth else { return nil }
        let shape: String
        switch format.chromaFormatIDC {
        case 1: shape = "420p"
        case 2: shape = "422p"
        default: return nil
        }
        switch format.lumaDepth {
        case 8: return (format.isFullRange ? "yuvj" : "yuv") + shape
        case 10: return "yuv" + shape + "10le"
        default: return nil
        }
    }

    private static func complete(_ stream: inout StreamInfo, _ format: PictureFormat, usability: VideoUsabilityInformation, order: Int) {
        if stream.pixelFormatName == nil {
            (stream.width, stream.height) = (format.width, format.height)
            stream.pixelFormatName = pixelFormatName(format)
            stream.bitDepth = format.lumaDepth
            switch format.chromaFormatIDC {
            case 0: stream.chromaFormat = .monochrome
            case 1: stream.chromaFormat = .yuv420
            case 2: stream.chromaFormat = .yuv422
            default: stream.chromaFormat = usability.matrix == 0 ? nil : .yuv444
            }
            // Evidence from a few times, where the pictures' own numbers were not asked.
            stream.videoDelay = order
        }
        if stream.sampleAspectRatio == nil, let aspect = usability.sampleAspectRatio {
            stream.sampleAspectRatio = Ratio(numerator: aspect.horizontal, denominator: aspect.vertical)
        }
        if let range = usability.isFullRange { stream.isFullRange = range }
        stream.describeColour(primaries: usability.primaries, transfer: usability.transfer, matrix: usability.matrix)
    }
}
