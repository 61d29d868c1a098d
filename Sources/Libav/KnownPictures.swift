/// What is known of a stream's pictures without libav: it then decodes none to learn it, where one large picture takes it a tenth of a second.
package struct KnownPictures: Sendable, Hashable {
    /// libav's name of the pixel format decoding gives ("yuv420p10le"); nil where only the stream will tell.
    package var pixelFormatName: String?
    /// Pictures that are decoded before one is shown, at most; nil where only the stream will tell. For containers without decode times
    /// libav derives them by it.
    package var reorderedPictures: Int?

    package init(pixelFormatName: String? = nil, reorderedPictures: Int? = nil) {
        self.pixelFormatName = pixelFormatName
        self.reorderedPictures = reorderedPictures
    }
}
