internal import Locks

/// Reads with Tesseract where it is installed; where it is not, or has not learned the language, that is said by name.
package final class TesseractRecogniser: TextRecogniser {
    /// What one line may take before it counts as failed.
    private static let deadlineMilliseconds: CInt = 10_000
    /// PSM_SINGLE_LINE and PSM_SINGLE_BLOCK (tesseract/publictypes.h).
    private static let singleLine: CInt = 7
    private static let singleBlock: CInt = 6
    /// A line read worse than this may be two, with letters that reach into each other's rows.
    private static let doubtful = 0.6

    private final class Engine: @unchecked Sendable {  // Reached only while `engine`'s lock is held.
        let data: TesseractData
        let handle: TesseractLibrary.Handle
        private let library: TesseractLibrary

        init?(_ library: TesseractLibrary, _ data: TesseractData) {
            guard let handle = library.create() else { return nil }
            guard library.initialise(handle, data.folder, data.code) == 0 else {
                library.delete(handle)
                return nil
            }
            // It would write what it thinks of a picture to standard error.
            _ = library.setVariable(handle, "debug_file", "/dev/null")
            // Pictures come dark on white: looking for the opposite takes a second pass.
            _ = library.setVariable(handle, "tessedit_do_invert", "0")
            (self.library, self.data, self.handle) = (library, data, handle)
        }

        deinit { library.delete(handle) }
    }

    /// What a cancel function is given.
    private final class Cancellation: Sendable {
        let isCancelled: @Sendable () -> Bool
        init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
    }

    private let library: TesseractLibrary?
    /// One language at a time: an engine holds tens of megabytes.
    private let engine = Locked<Engine?>(nil)

    package convenience init() { self.init(library: .shared) }

    init(library: TesseractLibrary?) { self.library = library }

    package var name: String {
        guard let version = library?.version() else { return "Tesseract" }
        return "Tesseract " + String(cString: version)
    }

    package func absence(of language: String?) -> RecognitionAbsence? {
        guard library != nil else { return Self.noEngine }
        do throws(RecognitionAbsence) { _ = try TesseractData.find(language) } catch { return error }
        return nil
    }

    private static let noEngine = RecognitionAbsence.noEngine(remedy: "install tesseract-ocr and the data of the languages to read, as tesseract-ocr-deu")

    package func read(_ lines: [InkPicture], language: String?, isCancelled: @escaping @Sendable () -> Bool) throws(RecognitionError) -> [RecognisedLine] {
        guard let library else { throw RecognitionError.absent(Self.noEngine) }
        let data: TesseractData
        do throws(RecognitionAbsence) { data = try TesseractData.find(language) } catch { throw RecognitionError.absent(error) }
        return try engine.withLock { engine throws(RecognitionError) in
            if engine?.data != data {
                engine = nil
                engine = Engine(library, data)
            }
            guard let ready = engine else { throw RecognitionError.failed("\(data.code).traineddata in \(data.folder) could not be loaded") }
            // Reading must not take what playback needs: one thread, whatever the library was built with.
            library.setThreadCount?(1)
            var read: [RecognisedLine] = []
            for line in lines {
                if isCancelled() { throw RecognitionError.cancelled }
                let asLine = try Self.read(line, as: Self.singleLine, ready.handle, library, isCancelled)
                if Self.confidence(asLine) < Self.doubtful {
                    let asBlock = try Self.read(line, as: Self.singleBlock, ready.handle, library, isCancelled)
                    read += Self.confidence(asBlock) > Self.confidence(asLine) ? asBlock : asLine
                } else {
                    read += asLine
                }
            }
            return read
        }
    }

    private static func confidence(_ lines: [RecognisedLine]) -> Double { lines.first?.confidence ?? 0 }

    private static func read(
        _ line: InkPicture, as mode: CInt, _ handle: TesseractLibrary.Handle, _ library: TesseractLibrary, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecognitionError) -> [RecognisedLine] {
        guard line.width > 0, line.height > 0, line.width < 1 << 15, line.height < 1 << 15, line.pixels.count == line.width * line.height else { return [] }
        library.setPageSegmentationMode(handle, mode)
        // It copies the picture.
        line.pixels.withUnsafeBufferPointer { library.setImage(handle, $0.baseAddress, CInt(line.width), CInt(line.height), 1, CInt(line.width)) }
        library.setResolution(handle, 150)
        defer { library.clear(handle) }
        guard let monitor = library.createMonitor() else { throw RecognitionError.failed("no memory") }
        let cancellation = Unmanaged.passRetained(Cancellation(isCancelled))
        library.setCancelContext(monitor, cancellation.toOpaque())
        library.setCancel(monitor) { context, _ in context.map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue().isCancelled() } ?? false }
        library.setDeadline(monitor, deadlineMilliseconds)
        let status = library.recognise(handle, monitor)
        library.deleteMonitor(monitor)
        cancellation.release()
        if isCancelled() { throw RecognitionError.cancelled }
        guard status == 0 else { throw RecognitionError.failed("Tesseract gave up on a line") }
        guard let raw = library.text(handle) else { return [] }
        defer { library.deleteText(raw) }
        let confidence = Double(min(max(library.meanConfidence(handle), 0), 100)) / 100
        return String(cString: raw).split(separator: "\n").map { RecognisedText.tidied(String($0)) }.filter { !$0.isEmpty }.prefix(lineLimit)
            .map { RecognisedLine(text: $0, confidence: confidence) }
    }

    /// Lines one picture of a line may turn out to hold.
    private static let lineLimit = 8
}
