internal import BitsAndTime
internal import TimedText

/// A sample of a `wvtt` track: boxes, one for each cue that shows, or one that says that none does.
///
/// Source: ISO/IEC 14496-30, clause 6.6.
enum WebVTTSample {
    /// - Returns: `nil` where the bytes are no such boxes.
    static func cues(_ bytes: [UInt8], start: MediaTime, end: MediaTime) -> [TextCue]? {
        guard let boxes = boxes(bytes[...]), !boxes.isEmpty, boxes.allSatisfy({ ["vttc", "vtte", "vtta"].contains($0.type) }) else { return nil }
        return boxes.compactMap { box in
            guard box.type == "vttc", let parts = self.boxes(box.payload), let words = parts.first(where: { $0.type == "payl" })?.payload else { return nil }
            let text = WebVTTCueText.read(words).trimmed
            guard !text.isBlank else { return nil }
            let settings = WebVTTCueSettings(parsing: parts.first { $0.type == "sttg" }?.payload ?? [])
            return TextCue(start: start, end: end, text: text, placement: settings.placement, settings: settings.isEmpty ? nil : settings.text)
        }
    }

    private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(type: String, payload: ArraySlice<UInt8>)]? {
        var reader = ByteReader(bytes, context: "wvtt")
        var boxes: [(String, ArraySlice<UInt8>)] = []
        while !reader.isAtEnd {
            guard let size = try? reader.readUInt32(), size >= 8, let type = try? reader.readBytes(4), let payload = try? reader.readBytes(Int(size) - 8) else { return nil }
            boxes.append((String(decoding: type, as: UTF8.self), payload))
        }
        return boxes
    }
}
