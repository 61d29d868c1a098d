import Bitstreams
import Foundation
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct RandomAccessTests {
    private static func kinds(_ pair: Reference.Pair, _ codec: RandomAccess.Codec) throws -> [(kind: RandomAccessKind, isKey: Bool, dts: Int64)] {
        let framing = NALUnitFraming.lengthPrefixed(lengthSize: 4)
        return try pair.samples().map { packet in
            (packet.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: codec, framing: framing) }, packet.isKeyframe, packet.dts ?? 0)
        }
    }

    @Test func x264ClosedGroups() throws {
        let pair = try Reference.pair("ra-closed", extension: "h264", "\(Reference.picture) -c:v libx264 -preset veryfast -g 12 -bf 2")
        let kinds = try Self.kinds(pair, .avc)
        #expect(kinds.count == 48 && kinds.filter { $0.kind == .idr }.count == 4)
        #expect(kinds.allSatisfy { ($0.kind == .idr) == $0.isKey })
    }

    @Test func x264OpenGroups() throws {
        let pair = try Reference.pair("ra-open", extension: "h264", "\(Reference.picture) -c:v libx264 -preset veryfast -g 12 -bf 2 -x264-params open-gop=1:scenecut=0")
        let kinds = try Self.kinds(pair, .avc)
        #expect(kinds.first?.kind == .idr)
        #expect(kinds.filter { $0.kind == .recoveryPoint }.count == 3)
        #expect(kinds.filter { $0.kind == .none }.count == kinds.count - 4)
        // The same bytes behind start codes say the same.
        let first = try #require(try pair.samples().first).bytes
        let annexB = NALUnitSequence.units(in: first, framing: .lengthPrefixed(lengthSize: 4)).flatMap { unit -> [UInt8] in [0, 0, 0, 1] + Array(unit) }
        #expect(annexB.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: .avc, framing: .annexB) } == .idr)
    }

    @Test func allIntraPromisesNothing() throws {
        let pair = try Reference.pair("ra-intra", extension: "h264", "\(Reference.picture) -c:v libx264 -preset ultrafast -frames:v 4 -g 1000 -x264-params scenecut=0 -force_key_frames 0 -bf 0")
        #expect(try Self.kinds(pair, .avc).map(\.kind) == [.idr, .none, .none, .none])
        // One I slice without a recovery point: first_mb_in_slice 0, slice_type 7.
        let slice: [UInt8] = [0, 0, 1, 0x41, 0x88, 0x80]
        #expect(slice.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: .avc, framing: .annexB) } == .intraOnly)
    }

    @Test(arguments: [(1, RandomAccessKind.craOrBLA), (0, .idr)]) func x265Groups(open: Int, later: RandomAccessKind) throws {
        let pair = try Reference.pair(
            "ra-hevc\(open)", extension: "hevc",
            "\(Reference.picture) -c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=\(open):keyint=12:min-keyint=12:bframes=3:scenecut=0")
        let kinds = try Self.kinds(pair, .hevc)
        let access = kinds.filter { $0.kind != .none }.map(\.kind)
        // x265 with open groups may begin with a CRA too.
        #expect(access.count == 4 && access.dropFirst().allSatisfy { $0 == later })
        #expect(kinds.allSatisfy { ($0.kind != .none) == $0.isKey })
    }

    @Test func av1KeyFrames() throws {
        let pair = try Reference.pair("ra-av1", extension: "obu", "\(Reference.picture) -c:v libaom-av1 -cpu-used 8 -frames:v 14 -g 6")
        let kinds = try Self.kinds(pair, .av1)
        #expect(kinds.filter { $0.kind == .idr }.count == 3)
        #expect(kinds.allSatisfy { ($0.kind == .idr) == $0.isKey })
    }

    @Test func anAV1KeyFrameShownLaterIsNoPlaceToBegin() {
        // OBU_FRAME with a size of one byte: show_existing_frame 0, frame_type 0, show_frame 1 or 0; then an existing frame shown.
        for (first, kind) in [(UInt8(0x10), RandomAccessKind.idr), (0x00, .none), (0x30, .none), (0x80, .none)] {
            let sequence: [UInt8] = [0x0A, 0x01, 0x00]
            let frame: [UInt8] = [0x32, 0x01, first]
            #expect(RandomAccess.classify(sample: (sequence + frame)[...], codec: .av1, framing: .annexB) == kind)
            // Without a sequence header no decoder can begin, and one that stands behind the frame comes too late.
            #expect(RandomAccess.classify(sample: frame[...], codec: .av1, framing: .annexB) == .none)
            #expect(RandomAccess.classify(sample: (frame + sequence)[...], codec: .av1, framing: .annexB) == .none)
            // A reduced still picture header leaves the frame's type out.
            #expect(RandomAccess.classify(sample: ([0x0A, 0x01, 0x18] + frame)[...], codec: .av1, framing: .annexB) == .idr)
        }
    }

    @Test func leadingPicturesAreToldFromTheirHeaders() throws {
        // Straight into MP4: an elementary stream has no presentation times to hold the headers against.
        let file = try Reference.folder().makeBlocking(
            "ra-leading.mp4",
            "\(Reference.picture) -c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=1:keyint=12:min-keyint=12:bframes=3:scenecut=0")
        let framing = NALUnitFraming.lengthPrefixed(lengthSize: 4)
        let demuxer = try Demuxer(url: file.path)
        var samples: [Packet] = []
        while let packet = try demuxer.readPacket() { samples.append(packet) }
        var shownAt: Int64?
        for sample in samples {
            if RandomAccess.classify(sample: sample.bytes[...], codec: .hevc, framing: framing) == .craOrBLA { shownAt = sample.pts }
            guard let at = shownAt, let pts = sample.pts else { continue }
            #expect((RandomAccess.leadingPicture(sample: sample.bytes[...], framing: framing) != nil) == (pts < at))
        }
        #expect(samples.contains { RandomAccess.leadingPicture(sample: $0.bytes[...], framing: framing) == .skipped })
        for (type, kind) in [(UInt8(6), LeadingPictureKind?.some(.decodable)), (7, .decodable), (8, .skipped), (9, .skipped), (1, nil), (21, nil)] {
            #expect(RandomAccess.leadingPicture(sample: [0, 0, 1, type << 1, 1, 0x80][...], framing: .annexB) == kind)
        }
    }

    @Test func onlyTheBaseLayerCounts() {
        // A slice of layer 1 (two views, or an enhancement) before a CRA of layer 0.
        let sample: [UInt8] = [0, 0, 1, 0x02, 0x09, 0x80, 0, 0, 1, 0x2A, 0x01, 0x80]
        #expect(RandomAccess.classify(sample: sample[...], codec: .hevc, framing: .annexB) == .craOrBLA)
        for type in UInt8(0)..<64 {
            let kind = RandomAccess.classify(sample: [0, 0, 0, 3, type << 1, 1, 0x80][...], codec: .hevc, framing: .lengthPrefixed(lengthSize: 4))
            #expect(kind == ([19, 20].contains(type) ? .idr : [16, 17, 18, 21].contains(type) ? .craOrBLA : .none))
        }
    }

    @Test func aSliceBehindARecoveryPointMayBeOfAnyType() {
        let message: [UInt8] = [0, 0, 1, 0x06, 0x05, 0x02, 0xAA, 0xBB, 0x06, 0x01, 0x80, 0x80]
        let slice: [UInt8] = [0, 0, 1, 0x41, 0x9A, 0x80]
        #expect(RandomAccess.classify(sample: (message + slice)[...], codec: .avc, framing: .annexB) == .recoveryPoint)
        #expect(RandomAccess.classify(sample: slice[...], codec: .avc, framing: .annexB) == .none)
        // The message's own bytes and no picture.
        #expect(RandomAccess.classify(sample: message[...], codec: .avc, framing: .annexB) == .none)
        // An I slice and then a P slice.
        #expect(RandomAccess.classify(sample: ([0, 0, 1, 0x41, 0x88, 0x80] + slice)[...], codec: .avc, framing: .annexB) == .none)
    }

    @Test func damagedSamplesAreClassifiedSomehow() throws {
        let pair = try Reference.pair("ra-damage", extension: "h264", "\(Reference.picture) -c:v libx264 -preset ultrafast -frames:v 1")
        let sample = Array(try #require(try pair.samples().first).bytes.prefix(900))
        for bytes in Damage.all(of: sample, mutations: 1000) {
            for codec in [RandomAccess.Codec.avc, .hevc, .av1] {
                for framing in [NALUnitFraming.annexB, .lengthPrefixed(lengthSize: 4), .lengthPrefixed(lengthSize: 2)] {
                    _ = bytes.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: codec, framing: framing) }
                }
            }
        }
    }
}
