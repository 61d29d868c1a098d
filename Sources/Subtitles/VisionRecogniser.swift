#if canImport(Vision)
internal import CoreGraphics
internal import Foundation
internal import Languages
internal import Vision

/// Reads with the system's own text recognition, on the device.
package final class VisionRecogniser: TextRecogniser {
    package let name = "Vision"

    package init() {}

    /// Which languages it reads depends on the system's version.
    package func absence(of language: String?) -> RecognitionAbsence? {
        guard let language, Self.languages(for: language).isEmpty else { return nil }
        return .noData(language: LanguageLabel.englishName(language) ?? language, remedy: "this system's text recognition does not know it")
    }

    package func read(_ lines: [InkPicture], language: String?, isCancelled: @escaping @Sendable () -> Bool) throws(RecognitionError) -> [RecognisedLine] {
        var read: [RecognisedLine] = []
        for line in lines {
            if isCancelled() { throw .cancelled }
            guard let image = Self.image(line) else { continue }
            let request = VNRecognizeTextRequest()
            request.recognitionLevel = .accurate
            request.usesLanguageCorrection = true
            if let language { request.recognitionLanguages = Self.languages(for: language) }
            do { try VNImageRequestHandler(cgImage: image, options: [:]).perform([request]) } catch { throw .failed(String(describing: error)) }
            // A line may come in pieces; they are put together from the left.
            let pieces = (request.results ?? []).sorted { $0.boundingBox.minX < $1.boundingBox.minX }.compactMap { $0.topCandidates(1).first }
            let text = RecognisedText.tidied(pieces.map(\.string).joined(separator: " "))
            guard !text.isEmpty else { continue }
            read.append(RecognisedLine(text: text, confidence: pieces.map { Double($0.confidence) }.min() ?? 0))
        }
        return read
    }

    /// The system's tags of that language; none where it does not read it.
    private static func languages(for language: String) -> [String] {
        guard let wanted = LanguageLabel.matched(language)?.language?.terminology else { return [] }
        let request = VNRecognizeTextRequest()
        request.recognitionLevel = .accurate
        return ((try? request.supportedRecognitionLanguages()) ?? []).filter { LanguageLabel.matched($0)?.language?.terminology == wanted }
    }

    private static func image(_ line: InkPicture) -> CGImage? {
        guard let provider = CGDataProvider(data: Data(line.pixels) as CFData) else { return nil }
        return CGImage(
            width: line.width, height: line.height, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: line.width, space: CGColorSpaceCreateDeviceGray(),
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }
}
#endif
