/// The reader this system has: its own where there is one, else Tesseract.
package enum SystemRecogniser {
    package static func make() -> any TextRecogniser {
        #if canImport(Vision)
        VisionRecogniser()
        #else
        TesseractRecogniser()
        #endif
    }
}
