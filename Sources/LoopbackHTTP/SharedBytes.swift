/// Bytes that belong to somebody else and never change while they are referenced: sent from where they are, or made for the time of sending.
/// Fewer than ``byteCount`` end the answer: their source is gone.
package protocol SharedBytes: AnyObject, Sendable {
    var byteCount: Int { get }
    /// The bytes in place, valid during `body` only.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}
