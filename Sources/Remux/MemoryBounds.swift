/// How many bytes of fragments a planned session keeps in memory, which it could produce again.
///
/// Payloads that are served from the source file take none.
package struct MemoryBounds: Sendable, Equatable {
    /// Bytes of what was served, at most.
    package let kept: Int
    /// Bytes produced ahead of demand, at most: 30 s of a 90 Mbit/s film are 337 MB, more than a television can spare.
    package let ahead: Int
    /// Whether the next segment is produced ahead however large it is.
    package let reachesNextSegment: Bool

    package init(kept: Int, ahead: Int, reachesNextSegment: Bool) {
        self.kept = kept
        self.ahead = ahead
        self.reachesNextSegment = reachesNextSegment
    }

    /// For a file on this machine: producing a segment takes milliseconds, so none is held in store that is large.
    package static let local = MemoryBounds(kept: 4 << 20, ahead: 8 << 20, reachesNextSegment: false)
    /// For any other source, which has to send the bytes, and if they were dropped, again.
    package static let remote = MemoryBounds(kept: 32 << 20, ahead: 32 << 20, reachesNextSegment: true)

    /// Whether production may begin a segment of about `expected` bytes while `held` wait to be fetched.
    func allows(_ expected: Int, besides held: Int) -> Bool {
        let (sum, isOver) = held.addingReportingOverflow(expected)
        return (!isOver && sum <= ahead) || (held == 0 && reachesNextSegment)
    }
}
