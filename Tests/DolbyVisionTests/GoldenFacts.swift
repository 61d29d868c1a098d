import DolbyVision
import Foundation

/// The reference library's account of a unit, beside ours.
enum GoldenFacts {
    static func differences(_ unit: ReferenceProcessingUnit, _ facts: [String: Any]) -> [String] {
        var found: [String] = []
        func same(_ name: String, _ ours: some Equatable, _ theirs: Any?) {
            guard let theirs = theirs as? NSObject else { return found.append("\(name): \(ours), theirs is missing") }
            if (ours as? NSObject) != theirs { found.append("\(name): \(ours), theirs \(theirs)") }
        }
        same("profile", NSNumber(value: unit.profile ?? 0), facts["guessed_profile"])
        // The library looks for 1.0 in the integer parts that floating-point numbers lack; none of the sets has such a minimal layer.
        let layer: NSObject = unit.enhancementLayer.map { NSString(string: $0 == .minimal ? "MEL" : "FEL") } ?? NSNull()
        same("el_type", layer, facts["el_type"])
        let header = header(unit)
        let theirHeader = facts["header"] as? [String: Any] ?? [:]
        for (name, value) in header { same(name, NSNumber(value: value), theirHeader[name]) }
        if let mapping = unit.mapping {
            same("mapping", self.mapping(mapping, unit.header), facts["mapping"])
        } else {
            same("mapping", NSNull(), facts["mapping"])
        }
        guard let payload = unit.displayManagement else {
            same("dm", NSNull(), facts["dm"])
            return found
        }
        let theirs = facts["dm"] as? [String: Any] ?? [:]
        let ours = displayManagement(payload)
        for name in Set(ours.keys).union(theirs.keys).subtracting(["num_ext_blocks"]).sorted() {
            if let value = ours[name] { same("dm.\(name)", value, theirs[name]) } else if payload.colour != nil || name.hasPrefix("l") {
                found.append("dm.\(name): ours is missing, theirs \(theirs[name] ?? "")")
            }
        }
        same("num_ext_blocks", NSNumber(value: payload.blocks.count + (payload.version4Blocks?.count ?? 0)), theirs["num_ext_blocks"])
        return found
    }

    private static func header(_ unit: ReferenceProcessingUnit) -> [String: Int] {
        let header = unit.header
        var facts: [String: Int] = [
            "rpu_type": 2, "rpu_format": Int(header.rpuFormat), "vdr_rpu_profile": Int(header.vdrRPUProfile), "vdr_rpu_level": 0,
            "vdr_seq_info_present_flag": 1, "chroma_resampling_explicit_filter_flag": header.isChromaResamplingFilterExplicit ? 1 : 0,
            "coefficient_data_type": Int(header.coefficientDataType), "vdr_rpu_normalized_idc": Int(header.vdrRPUNormalizedIDC),
            "bl_video_full_range_flag": header.isBaseLayerFullRange ? 1 : 0, "bl_bit_depth_minus8": Int(header.baseLayerBitDepthMinus8),
            "el_bit_depth_minus8": header.enhancementLayerBitDepth - 8, "vdr_bit_depth_minus8": Int(header.vdrBitDepthMinus8),
            "spatial_resampling_filter_flag": header.hasSpatialResamplingFilter ? 1 : 0, "reserved_zero_3bits": Int(header.reservedZero3Bits),
            "el_spatial_resampling_filter_flag": header.hasEnhancementLayerSpatialResamplingFilter ? 1 : 0,
            "disable_residual_flag": header.isResidualDisabled ? 1 : 0, "vdr_dm_metadata_present_flag": unit.displayManagement == nil ? 0 : 1,
            "use_prev_vdr_rpu_flag": unit.mapping == nil ? 1 : 0,
        ]
        if header.coefficientDataType == 0 { facts["coefficient_log2_denom"] = Int(header.coefficientLog2Denominator) }
        if case .previous(let id) = unit.reshaping { facts["prev_vdr_rpu_id"] = Int(id) }
        return facts
    }

    private static func mapping(_ mapping: RPUDataMapping, _ header: RPUDataHeader) -> NSObject {
        let hasIntegers = header.coefficientDataType == 0
        let curves = mapping.curves.map { curve -> [String: Any] in
            var facts: [String: Any] = ["num_pivots_minus2": curve.pivots.count - 2, "pivots": curve.pivots.map(Int.init)]
            var next = 0
            var pieces: [[Coefficient]] = []
            for index in curve.pieces.indices {
                let count = curve.coefficientCount(at: index)
                pieces.append(Array(curve.coefficients[next..<(next + count)]))
                next += count
            }
            let orders = curve.pieces.map { piece in
                switch piece {
                case .polynomial(let order), .multivariate(let order): Int(order) - 1
                case .linearInterpolation: -1
                }
            }
            func whole(_ numbers: some Sequence<Coefficient>) -> [Int] { hasIntegers ? numbers.map { Int($0.integer) } : [] }
            if case .multivariate = curve.pieces[0] {
                facts["mapping_idc"] = 1
                func rows(_ piece: [Coefficient]) -> [ArraySlice<Coefficient>] { stride(from: 1, to: piece.count, by: 7).map { piece[$0..<($0 + 7)] } }
                facts["mmr"] = [
                    "order_minus1": orders, "constant_int": hasIntegers ? pieces.map { Int($0[0].integer) } : [], "constant": pieces.map { Int($0[0].fraction) },
                    "coef_int": pieces.map { rows($0).map(whole) }, "coef": pieces.map { rows($0).map { $0.map { Int($0.fraction) } } },
                ] as [String: Any]
            } else {
                facts["mapping_idc"] = 0
                facts["poly"] = ["order_minus1": orders, "coef_int": pieces.map(whole), "coef": pieces.map { $0.map { Int($0.fraction) } }] as [String: Any]
            }
            return facts
        }
        var facts: [String: Any] = [
            "vdr_rpu_id": Int(mapping.vdrRPUID), "mapping_color_space": Int(mapping.colourSpace), "mapping_chroma_format_idc": Int(mapping.chromaFormatIDC),
            "num_x_partitions_minus1": Int(mapping.partitionsAcrossMinus1), "num_y_partitions_minus1": Int(mapping.partitionsDownMinus1), "curves": curves,
            "nlq_method_idc": -1, "nlq_num_pivots_minus2": -1, "nlq_pred_pivot_value": [Int](), "nlq": NSNull(),
        ]
        if let layer = mapping.inverseQuantization?.components {
            facts["nlq_method_idc"] = 0
            facts["nlq_num_pivots_minus2"] = 0
            facts["nlq_pred_pivot_value"] = [0, 1023]
            facts["nlq"] = [
                "nlq_offset": layer.map { Int($0.offset) },
                "vdr_in_max_int": layer.map { Int($0.maximum.integer) }, "vdr_in_max": layer.map { Int($0.maximum.fraction) },
                "linear_deadzone_slope_int": layer.map { Int($0.deadZoneSlope.integer) }, "linear_deadzone_slope": layer.map { Int($0.deadZoneSlope.fraction) },
                "linear_deadzone_threshold_int": layer.map { Int($0.deadZoneThreshold.integer) },
                "linear_deadzone_threshold": layer.map { Int($0.deadZoneThreshold.fraction) },
            ]
        }
        return facts as NSDictionary
    }

    private static func displayManagement(_ payload: DisplayManagementPayload) -> [String: NSObject] {
        var facts: [String: Any] = [
            "compressed": payload.colour == nil, "affected_dm_metadata_id": Int(payload.affectedMetadataID),
            "current_dm_metadata_id": Int(payload.currentMetadataID), "scene_refresh_flag": Int(payload.sceneRefresh),
        ]
        if let colour = payload.colour {
            facts["ycc_to_rgb_coef"] = colour.yccToRGBCoefficients.map(Int.init)
            facts["ycc_to_rgb_offset"] = colour.yccToRGBOffsets.map(Int.init)
            facts["rgb_to_lms_coef"] = colour.rgbToLMSCoefficients.map(Int.init)
            facts["signal_eotf"] = Int(colour.signalEOTF)
            facts["signal_eotf_param0"] = Int(colour.signalEOTFParameter0)
            facts["signal_eotf_param1"] = Int(colour.signalEOTFParameter1)
            facts["signal_eotf_param2"] = Int(colour.signalEOTFParameter2)
            facts["signal_bit_depth"] = Int(colour.signalBitDepth)
            facts["signal_color_space"] = Int(colour.signalColourSpace)
            facts["signal_chroma_format"] = Int(colour.signalChromaFormat)
            facts["signal_full_range_flag"] = Int(colour.signalFullRange)
            facts["source_min_pq"] = Int(colour.sourceMinimumPQ)
            facts["source_max_pq"] = Int(colour.sourceMaximumPQ)
            facts["source_diagonal"] = Int(colour.sourceDiagonal)
        }
        if let one = payload.first(Level1.self) {
            facts["l1"] = ["min_pq": Int(one.minimumPQ), "max_pq": Int(one.maximumPQ), "avg_pq": Int(one.averagePQ)]
        }
        let two = payload.all(Level2.self).map {
            [
                "target_max_pq": Int($0.targetMaximumPQ), "trim_slope": Int($0.trimSlope), "trim_offset": Int($0.trimOffset), "trim_power": Int($0.trimPower),
                "trim_chroma_weight": Int($0.trimChromaWeight), "trim_saturation_gain": Int($0.trimSaturationGain), "ms_weight": Int($0.multiscaleWeight),
            ]
        }
        if !two.isEmpty { facts["l2"] = two }
        if let three = payload.first(Level3.self) {
            facts["l3"] = ["min_pq_offset": Int(three.minimumPQOffset), "max_pq_offset": Int(three.maximumPQOffset), "avg_pq_offset": Int(three.averagePQOffset)]
        }
        if let four = payload.first(Level4.self) { facts["l4"] = ["anchor_pq": Int(four.anchorPQ), "anchor_power": Int(four.anchorPower)] }
        if let five = payload.first(Level5.self) {
            facts["l5"] = ["left": Int(five.left), "right": Int(five.right), "top": Int(five.top), "bottom": Int(five.bottom)]
        }
        if let six = payload.first(Level6.self) {
            facts["l6"] = [
                "max_mdl": Int(six.maximumDisplayLuminance), "min_mdl": Int(six.minimumDisplayLuminance), "max_cll": Int(six.maximumContentLightLevel),
                "max_fall": Int(six.maximumFrameAverageLightLevel),
            ]
        }
        let eight = zip(payload.all(Level8.self), payload.payloads(ofLevel: 8)).map { block, bytes -> [String: Any] in
            var facts: [String: Any] = [
                "length": bytes.count, "target_display_index": Int(block.targetDisplayIndex), "trim_slope": Int(block.trimSlope),
                "trim_offset": Int(block.trimOffset), "trim_power": Int(block.trimPower), "trim_chroma_weight": Int(block.trimChromaWeight),
                "trim_saturation_gain": Int(block.trimSaturationGain), "ms_weight": Int(block.multiscaleWeight),
            ]
            if let value = block.targetMidContrast { facts["target_mid_contrast"] = Int(value) }
            if let value = block.clipTrim { facts["clip_trim"] = Int(value) }
            if let values = block.saturationVector { facts["saturation"] = values.map(Int.init) }
            if let values = block.hueVector { facts["hue"] = values.map(Int.init) }
            return facts
        }
        if !eight.isEmpty { facts["l8"] = eight }
        if let nine = payload.first(Level9.self) {
            var nines: [String: Any] = ["length": payload.payload(ofLevel: 9)?.count ?? 0, "source_primary_index": Int(nine.sourcePrimaryIndex)]
            nines["primaries"] = nine.primaries.map { $0.map(Int.init) }
            facts["l9"] = nines
        }
        let ten = zip(payload.all(Level10.self), payload.payloads(ofLevel: 10)).map { block, bytes -> [String: Any] in
            var facts: [String: Any] = [
                "length": bytes.count, "target_display_index": Int(block.targetDisplayIndex), "target_max_pq": Int(block.targetMaximumPQ),
                "target_min_pq": Int(block.targetMinimumPQ), "target_primary_index": Int(block.targetPrimaryIndex),
            ]
            facts["primaries"] = block.primaries.map { $0.map(Int.init) }
            return facts
        }
        if !ten.isEmpty { facts["l10"] = ten }
        if let eleven = payload.first(Level11.self) {
            facts["l11"] = [
                "content_type": Int(eleven.contentType), "whitepoint": Int(eleven.whitePoint & 0xF), "reference_mode_flag": eleven.isReferenceMode,
                "reserved_byte2": Int(eleven.reserved2), "reserved_byte3": Int(eleven.reserved3),
            ] as [String: Any]
        }
        if let last = payload.first(Level254.self) { facts["l254"] = ["dm_mode": Int(last.mode), "dm_version_index": Int(last.versionIndex)] }
        if let last = payload.first(Level255.self) {
            facts["l255"] = [
                "dm_run_mode": Int(last.runMode), "dm_run_version": Int(last.runVersion),
                "dm_debug": [last.debug0, last.debug1, last.debug2, last.debug3].map(Int.init),
            ] as [String: Any]
        }
        return facts.mapValues { $0 as? NSObject ?? NSNull() }
    }
}
