public import Foundation
internal import Libav
internal import Locks
internal import Remux

/// A source that was opened and described, still open: handing it to a session saves opening it again.
public final class ProbedSource: Sendable {
    /// Where the probe's time went.
    public struct Timing: Sendable, Equatable {
        public let open: Duration
        public let streamInfo: Duration
        /// Reading first packets and decoding what had to be verified.
        public let describe: Duration
        /// Looking for HDR10+ and HDR Vivid; `nil` where it was not asked for.
        public let hdr10PlusScan: Duration?
        public let total: Duration
    }

    public let url: URL
    public let info: SourceInfo
    public let structure: SourceStructure
    public let timing: Timing
    /// Bytes the probe read from the source.
    public let bytesRead: Int64

    private let source: Locked<AnalyzedSource?>

    init(url: URL, analyzed: AnalyzedSource, structure: SourceStructure) {
        self.url = url
        self.structure = structure
        info = analyzed.info
        timing = analyzed.timing
        bytesRead = analyzed.reader.demuxer.bytesRead
        source = Locked(analyzed)
    }

    /// Gives the open source away, once.
    func takeSource() -> AnalyzedSource? { source.withLock { $0.take() } }
}
