internal import BitsAndTime

/// The parameter sets a stream has shown, the newest of each id (ITU-T H.264 §7.4.1.2.1, H.265 §7.4.2.4.2): a set replaces the one of its
/// type and id, and no other.
package struct ParameterSets: Sendable, Equatable {
    private struct Identity: Hashable {
        /// nal_unit_type.
        let type: UInt8
        let id: UInt32
    }

    /// AVC or HEVC; AV1 has none.
    package let codec: RandomAccess.Codec
    private var order: [Identity] = []
    private var units: [Identity: [UInt8]] = [:]

    package init(codec: RandomAccess.Codec) { self.codec = codec }

    package init(_ record: AVCDecoderConfigurationRecord) {
        self.init(codec: .avc)
        for unit in record.sequenceParameterSets + record.pictureParameterSets { insert(unit[...]) }
        for unit in record.highProfileExtension?.sequenceParameterSetExtensions ?? [] { insert(unit[...]) }
    }

    package init(_ record: HEVCDecoderConfigurationRecord) {
        self.init(codec: .hevc)
        for unit in record.arrays.flatMap(\.units) { insert(unit[...]) }
    }

    /// Every set in the order it first came.
    package var all: [ArraySlice<UInt8>] { order.compactMap { units[$0]?[...] } }
    package var isEmpty: Bool { order.isEmpty }

    /// Whether a record can be made: one of each kind a picture needs.
    package var isComplete: Bool {
        let types = Set(order.map(\.type))
        return codec == .avc ? types.isSuperset(of: [7, 8]) : types.isSuperset(of: [32, 33, 34])
    }

    /// Takes a parameter set; any other unit is passed over.
    ///
    /// - Returns: Whether it is new or says something else than the one it replaces.
    @discardableResult
    package mutating func insert(_ unit: ArraySlice<UInt8>) -> Bool {
        guard let identity = identity(of: unit) else { return false }
        if let known = units[identity] {
            guard !known.elementsEqual(unit) else { return false }
        } else {
            order.append(identity)
        }
        units[identity] = Array(unit)
        return true
    }

    /// Takes the parameter sets of an access unit.
    ///
    /// - Returns: Whether any was new or changed.
    @discardableResult
    package mutating func insert(from sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> Bool {
        var isChanged = false
        NALUnitSequence.forEachStart(in: sample, framing: framing) { start, end in
            guard start < sample.count, isParameterSet(sample[start]) else { return true }
            let end = end ?? NALUnitSequence.annexBEnd(of: start, in: sample)
            if insert(Array(sample[start..<end])[...]) { isChanged = true }
            return true
        }
        return isChanged
    }

    /// Takes those sets of `other` whose ids are not here.
    package mutating func fill(from other: ParameterSets) {
        for identity in other.order where units[identity] == nil {
            order.append(identity)
            units[identity] = other.units[identity]
        }
    }

    /// What a decoder is built from to decode the access unit's picture: the sequence parameter set its first slice leads to. `nil` where the
    /// slice or a set on the way cannot be read or is not here.
    package func signature(ofPictureIn sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> DecoderSignature? {
        var found: DecoderSignature?
        NALUnitSequence.forEachStart(in: sample, framing: framing) { start, end in
            let head = Array(sample[start..<min(end ?? sample.count, start + AVCSliceHeaderPrefix.byteLimit)])
            guard let pictureSet = pictureSetID(ofSlice: head[...]) else { return true }
            found = signature(pictureSet: pictureSet)
            return false
        }
        return found
    }

    private func signature(pictureSet: UInt32) -> DecoderSignature? {
        guard let unit = units[Identity(type: codec == .avc ? 8 : 34, id: pictureSet)] else { return nil }
        do throws(ParseError) {
            var bits = BitReader(RBSP.removingEmulationPrevention(unit.dropFirst(headerByteCount).prefix(16)), context: "pic_parameter_set")
            _ = try bits.readUE()
            let id = try bits.readUE()
            return units[Identity(type: sequenceSetType, id: id)].flatMap(signature(ofSequenceSet:))
        } catch {
            return nil
        }
    }

    /// Of every sequence parameter set that can be read.
    package var signatures: [DecoderSignature] {
        order.filter { $0.type == sequenceSetType }.compactMap { units[$0].flatMap(signature(ofSequenceSet:)) }
    }

    private func signature(ofSequenceSet set: [UInt8]) -> DecoderSignature? {
        do throws(ParseError) {
            return codec == .avc
                ? DecoderSignature(try AVCSequenceParameterSet(parsing: set[...])) : DecoderSignature(try HEVCSequenceParameterSet(parsing: set[...]))
        } catch {
            return nil
        }
    }

    /// Every set that a picture brought, and of the kinds it brought none of, those of `self`.
    package func renewed(by shown: ParameterSets) -> ParameterSets {
        var renewed = shown
        let kinds = Set(shown.order.map(\.type))
        for identity in order where !kinds.contains(identity.type) {
            renewed.order.append(identity)
            renewed.units[identity] = units[identity]
        }
        return renewed
    }

    /// Whether both hold the same sets, in whatever order.
    package func holdsTheSame(as other: ParameterSets) -> Bool { units == other.units }

    private var sequenceSetType: UInt8 { codec == .avc ? 7 : 33 }

    private var headerByteCount: Int { codec == .avc ? 1 : 2 }

    private func isParameterSet(_ first: UInt8) -> Bool {
        codec == .avc ? [7, 8, 13].contains(first & 0x1F) : (32...34).contains(first >> 1 & 0x3F)
    }

    /// `nil` for a unit that is no parameter set of the base layer, or whose id cannot be read.
    private func identity(of unit: ArraySlice<UInt8>) -> Identity? {
        guard let first = unit.first, unit.count > headerByteCount, isParameterSet(first) else { return nil }
        do throws(ParseError) {
            if codec == .avc {
                var bits = BitReader(RBSP.removingEmulationPrevention(unit.dropFirst().prefix(16)), context: "parameter_set")
                if first & 0x1F == 7 { try bits.skipBits(24) }
                let id = try bits.readUE()
                // H.264 §7.4.2.1.1, §7.4.2.2: what a stream shows is bounded by its numbers.
                guard id <= (first & 0x1F == 8 ? 255 : 31) else { return nil }
                return Identity(type: first & 0x1F, id: id)
            }
            let type = first >> 1 & 0x3F
            guard first & 1 == 0, unit[unit.startIndex + 1] >> 3 == 0 else { return nil }
            switch type {
            case 33: return Identity(type: type, id: try HEVCSequenceParameterSet(parsing: unit).sequenceParameterSetID)
            case 32:
                guard let id = unit.dropFirst(2).first else { return nil }
                return Identity(type: type, id: UInt32(id >> 4))
            default:
                var bits = BitReader(RBSP.removingEmulationPrevention(unit.dropFirst(2).prefix(16)), context: "parameter_set")
                let id = try bits.readUE()
                // H.265 §7.4.3.3.1.
                guard id <= 63 else { return nil }
                return Identity(type: type, id: id)
            }
        } catch {
            return nil
        }
    }

    /// `nil` for a unit that is no slice of the base layer.
    private func pictureSetID(ofSlice unit: ArraySlice<UInt8>) -> UInt32? {
        guard let first = unit.first else { return nil }
        do throws(ParseError) {
            if codec == .avc {
                guard [1, 2, 5].contains(first & 0x1F) else { return nil }
                return try AVCSliceHeaderPrefix(parsing: unit).pictureParameterSetID
            }
            let type = first >> 1 & 0x3F
            guard unit.count > 2, type < 32, first & 1 == 0, unit[unit.startIndex + 1] >> 3 == 0 else { return nil }
            var bits = BitReader(RBSP.removingEmulationPrevention(unit.dropFirst(2)), context: "slice_segment_header")
            try bits.skipBits((16...23).contains(type) ? 2 : 1)
            return try bits.readUE()
        } catch {
            return nil
        }
    }
}
