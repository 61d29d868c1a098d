/// A stretch of an open file that somebody keeps open.
package struct FileSpan: Sendable {
    package let descriptor: Int32
    /// First byte, from the start of the file.
    package let offset: Int64
    package let byteCount: Int
    /// Whoever closes the descriptor; the stretch is valid while it lives.
    package let owner: any AnyObject & Sendable
}
