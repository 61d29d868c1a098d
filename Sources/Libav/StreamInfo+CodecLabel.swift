extension StreamInfo {
    /// The codec's name for a report: libavcodec's, or for one that it has no name for the container's four characters, where it has them.
    package var codecLabel: String {
        guard codecName == "none" || codecName == "unknown_codec" else { return codecName }
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: codecTag >> (8 * UInt32($0))) }
        guard characters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "an unknown codec" }
        return "the unknown codec \(String(decoding: characters, as: UTF8.self))"
    }
}
