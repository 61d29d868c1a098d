internal import BitsAndTime
internal import Foundation
internal import ISOBMFF
internal import Libav
internal import Matroska
internal import Remux

/// Reads a container's layout from a local file. A remote source is not read a second time for it, and reports what is unknown as unknown.
enum SourceStructureReader {
    static func read(url: URL, analyzed: AnalyzedSource, detail: SourceStructure.Detail) -> SourceStructure {
        guard detail != .none else { return SourceStructure() }
        var structure = SourceStructure()
        if url.isFileURL, let file = try? FileHandle(forReadingFrom: url) {
            defer { try? file.close() }
            let read = { (offset: Int64, count: Int) throws -> [UInt8] in
                try file.seek(toOffset: UInt64(max(0, offset)))
                return try file.read(upToCount: count).map(Array.init) ?? []
            }
            let names = analyzed.reader.demuxer.formatName.split(separator: ",")
            if names.contains("matroska"), let layout = try? MatroskaLayout.scan(read: read) {
                structure = matroska(layout)
            } else if names.contains("mov"), let layout = try? TopLevelLayout(stopsAtMedia: false, read: read) {
                structure = mp4(layout)
            }
        }
        if detail == .full {
            structure.index = index(analyzed, location: structure.indexLocation)
            structure.plan = plan(analyzed)
        }
        return structure
    }

    private static func plan(_ analyzed: AnalyzedSource) -> SourceStructure.Plan? {
        guard let video = analyzed.video, case .copyable(let track) = video.verdict else { return nil }
        let loader = PlanLoader(reader: analyzed.reader, stream: video.stream, track: track, deadline: nil, file: analyzed.file, remote: analyzed.remote)
        do throws(SegmentPlan.Rejection) {
            if analyzed.changesParameterSets(track) { throw .parameterSets(at: nil) }
            let planned = try loader.load(sourceEnd: analyzed.sourceEnd)
            return SourceStructure.Plan(evidence: planned.evidence == .index ? .containerIndex : .headerScan, segments: planned.plan.segments.count, reason: nil)
        } catch {
            return SourceStructure.Plan(evidence: .none, segments: 0, reason: SessionAssembly.describe(error))
        }
    }

    private static func matroska(_ layout: MatroskaLayout) -> SourceStructure {
        var structure = SourceStructure(metadataEndOffset: layout.tracks?.end, firstClusterOffset: layout.firstClusterOffset)
        switch layout.indexLocation {
        case .head: structure.indexLocation = .head
        case .tail: structure.indexLocation = .tail
        case .none: structure.indexLocation = .none
        case .unknown:
            // A SeekHead that lists the file's parts and leaves the Cues out is a statement; none at all is not.
            if layout.declaresNoCues, layout.firstClusterOffset != nil { structure.indexLocation = .none }
        }
        return structure
    }

    private static func mp4(_ layout: TopLevelLayout) -> SourceStructure {
        var structure = SourceStructure(metadataEndOffset: layout.moovEnd, firstClusterOffset: layout.firstMediaOffset)
        let index = layout.hasFragments ? layout.sidxOffset ?? layout.mfraOffset : layout.moovOffset
        if let index, let media = layout.firstMediaOffset {
            structure.indexLocation = index < media ? .head : .tail
        } else if layout.hasFragments {
            structure.indexLocation = .none
        }
        return structure
    }

    private static func index(_ analyzed: AnalyzedSource, location: SourceStructure.IndexLocation) -> SourceStructure.Index? {
        guard let video = analyzed.video, let axis = KeyframeIndex.axis(ofFormat: analyzed.reader.demuxer.formatName) else { return nil }
        do throws(LibavError) {
            try analyzed.reader.demuxer.loadIndex(streamIndex: video.stream.index)
        } catch {
            return nil
        }
        let base = TickBase(numerator: video.stream.timeBaseNumerator, denominator: video.stream.timeBaseDenominator)
        let keys = analyzed.reader.demuxer.indexEntries(streamIndex: video.stream.index).filter(\.isKeyframe).map { base.time($0.timestamp) }
        var completeness = SourceStructure.IndexCompleteness.unknown
        if keys.isEmpty {
            completeness = location == .none ? .absent : .unknown
        } else if let last = keys.last, let end = analyzed.sourceEnd {
            completeness = end - last <= SegmentPlan.largestGap ? .complete : .partial
        }
        return SourceStructure.Index(keyframes: keys.map(\.seconds), axis: axis == .presentation ? "presentation" : "decode", completeness: completeness)
    }
}
