/// A stretch of an open file. The server reads at explicit offsets and neither moves the descriptor's position nor closes it.
package struct FileRegion: Sendable {
    package let descriptor: Int32
    /// First byte, from the start of the file.
    package let offset: Int64
    package let byteCount: Int
    /// Whoever closes the descriptor, kept alive while the region is served.
    package let owner: any AnyObject & Sendable

    /// Negative offsets and counts become 0.
    package init(descriptor: Int32, offset: Int64, byteCount: Int, owner: any AnyObject & Sendable) {
        self.descriptor = descriptor
        self.offset = max(0, offset)
        self.byteCount = max(0, byteCount)
        self.owner = owner
    }
}
