#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The C interface of libtesseract, found at run time: this package neither links nor ships it.
///
/// Opened by fixed names only, so that the system's loader looks where it always does; no name comes from an environment of ours, a file or a stream.
///
/// Source: tesseract/capi.h, the same from 4.0 to 5.5.
struct TesseractLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias Text = UnsafeMutablePointer<CChar>

    let version: @convention(c) () -> UnsafePointer<CChar>?
    let create: @convention(c) () -> Handle?
    let delete: @convention(c) (Handle?) -> Void
    let initialise: @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
    let setVariable: @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
    let setPageSegmentationMode: @convention(c) (Handle?, CInt) -> Void
    let setImage: @convention(c) (Handle?, UnsafePointer<UInt8>?, CInt, CInt, CInt, CInt) -> Void
    let setResolution: @convention(c) (Handle?, CInt) -> Void
    let recognise: @convention(c) (Handle?, Handle?) -> CInt
    let text: @convention(c) (Handle?) -> Text?
    let meanConfidence: @convention(c) (Handle?) -> CInt
    let clear: @convention(c) (Handle?) -> Void
    let deleteText: @convention(c) (Text?) -> Void
    let createMonitor: @convention(c) () -> Handle?
    let deleteMonitor: @convention(c) (Handle?) -> Void
    let setCancel: @convention(c) (Handle?, @convention(c) (Handle?, CInt) -> Bool) -> Void
    let setCancelContext: @convention(c) (Handle?, Handle?) -> Void
    let setDeadline: @convention(c) (Handle?, CInt) -> Void
    /// Of the OpenMP library it may be built with: how many nested regions may run on several threads. With none, the calling thread works alone;
    /// asking for a number of threads would not do, since Tesseract asks for four by name.
    let setParallelLevels: (@convention(c) (CInt) -> Void)?

    /// Newest first.
    static let names: [String] = {
        #if canImport(Darwin)
        ["libtesseract.5.dylib", "libtesseract.dylib", "/opt/homebrew/lib/libtesseract.dylib", "/usr/local/lib/libtesseract.dylib"]
        #else
        ["libtesseract.so.5", "libtesseract.so.4", "libtesseract.so"]
        #endif
    }()

    /// Whether it lies in one of the folders that packages put libraries in. Elsewhere it may still be found by the system's loader.
    static var isInstalled: Bool {
        let folders = ["/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/", "/usr/lib64/", "/usr/lib/", "/usr/local/lib/", "/opt/homebrew/lib/"]
        return folders.contains { folder in names.contains { !$0.hasPrefix("/") && access(folder + $0, R_OK) == 0 } }
    }

    /// `nil` where none of the names is there, or one is that lacks a function. It is never closed: threads of its own may outlive a use.
    static let shared = TesseractLibrary()

    private init?() {
        var found: UnsafeMutableRawPointer?
        for name in Self.names where found == nil { found = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
        guard let found else { return nil }
        func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            dlsym(found, name).map { unsafeBitCast($0, to: type) }
        }
        guard let version: @convention(c) () -> UnsafePointer<CChar>? = function("TessVersion"),
            let create: @convention(c) () -> Handle? = function("TessBaseAPICreate"),
            let delete: @convention(c) (Handle?) -> Void = function("TessBaseAPIDelete"),
            let initialise: @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt = function("TessBaseAPIInit3"),
            let setVariable: @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt = function("TessBaseAPISetVariable"),
            let setMode: @convention(c) (Handle?, CInt) -> Void = function("TessBaseAPISetPageSegMode"),
            let setImage: @convention(c) (Handle?, UnsafePointer<UInt8>?, CInt, CInt, CInt, CInt) -> Void = function("TessBaseAPISetImage"),
            let setResolution: @convention(c) (Handle?, CInt) -> Void = function("TessBaseAPISetSourceResolution"),
            let recognise: @convention(c) (Handle?, Handle?) -> CInt = function("TessBaseAPIRecognize"),
            let text: @convention(c) (Handle?) -> Text? = function("TessBaseAPIGetUTF8Text"),
            let meanConfidence: @convention(c) (Handle?) -> CInt = function("TessBaseAPIMeanTextConf"),
            let clear: @convention(c) (Handle?) -> Void = function("TessBaseAPIClear"),
            let deleteText: @convention(c) (Text?) -> Void = function("TessDeleteText"),
            let createMonitor: @convention(c) () -> Handle? = function("TessMonitorCreate"),
            let deleteMonitor: @convention(c) (Handle?) -> Void = function("TessMonitorDelete"),
            let setCancel: @convention(c) (Handle?, @convention(c) (Handle?, CInt) -> Bool) -> Void = function("TessMonitorSetCancelFunc"),
            let setCancelContext: @convention(c) (Handle?, Handle?) -> Void = function("TessMonitorSetCancelThis"),
            let setDeadline: @convention(c) (Handle?, CInt) -> Void = function("TessMonitorSetDeadlineMSecs")
        else { return nil }
        self.version = version
        self.create = create
        self.delete = delete
        self.initialise = initialise
        self.setVariable = setVariable
        setPageSegmentationMode = setMode
        self.setImage = setImage
        self.setResolution = setResolution
        self.recognise = recognise
        self.text = text
        self.meanConfidence = meanConfidence
        self.clear = clear
        self.deleteText = deleteText
        self.createMonitor = createMonitor
        self.deleteMonitor = deleteMonitor
        self.setCancel = setCancel
        self.setCancelContext = setCancelContext
        self.setDeadline = setDeadline
        setParallelLevels = function("omp_set_max_active_levels")
    }
}
