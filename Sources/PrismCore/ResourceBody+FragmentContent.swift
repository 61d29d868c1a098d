internal import Libav
internal import LoopbackHTTP
internal import Remux

extension ResourceBody {
    /// A fragment's pieces as the server's, none copied.
    init(_ content: FragmentContent) {
        self.init(
            pieces: content.pieces.map { piece in
                switch piece {
                case .bytes(let bytes): .bytes(bytes)
                case .packet(let packet): .shared(packet)
                case .file(let span): .file(FileRegion(descriptor: span.descriptor, offset: span.offset, byteCount: span.byteCount, owner: span.owner))
                }
            })
    }
}

extension Packet: SharedBytes {}
