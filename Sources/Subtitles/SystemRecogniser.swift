/// The reader this system has: its own where there is one, else Tesseract.
package enum SystemRecogniser {
    package static func make() -> any TextRecogniser {
        #if canImport(Vision)
        VisionRecogniser()
        #else
        TesseractRecogniser()
        #endif
    }

    /// Whether words in a language can be read here, found out without loading the reader: a film is described before anybody wants its words.
    ///
    /// - Returns: `nil` where they can.
    package static func absence(of language: String?) -> RecognitionAbsence? {
        #if canImport(Vision)
        return make().absence(of: language)
        #else
        // Loading the library takes a tenth of a second; that it lies where packages put it is enough here.
        guard TesseractLibrary.isInstalled else { return make().absence(of: language) }
        do throws(RecognitionAbsence) { _ = try TesseractData.find(language) } catch { return error }
        return nil
        #endif
    }
}
