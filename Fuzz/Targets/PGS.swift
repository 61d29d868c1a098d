internal import BitsAndTime
internal import SubtitlePictures

/// Pictures of words: a `.sup` file, the bare input as packets, and the halves of a VobSub pair.
@Sendable func fuzzPGS(_ input: [UInt8]) {
    let file = SupFile(input)
    law("a .sup is written as it was read", SupFile(file.bytes).packets == file.packets)
    law("what is read of a .sup is its own", file.strayByteCount + file.bytes.count == input.count)
    checkSets(of: file.packets.map { ($0.bytes, $0.time) })
    checkSets(of: [(input, MediaTime(ticks: 1, timescale: 1))])
    // The same in drops: each packet cut in two where a segment begins.
    let (segments, finding) = PGSSegment.walk(input[...])
    if finding == nil {
        var (whole, drops) = (PGSAssembler(), PGSAssembler())
        let atOnce = whole.add(input[...], presentation: .zero)
        let inDrops = segments.flatMap { drops.add(PGSDisplaySet.bytes(of: $0)[...], presentation: .zero) }
        law("sets do not depend on how they are packed", atOnce == inDrops && whole.finish() == drops.finish())
    }
    for segment in segments { checkSegment(segment) }
    if let page = DVBPage(packet: input[...]) { law("a page has a packet", input.count >= 8 && page.timeOut <= 255) }
    if let index = accepted({ () throws(ParseError) in try VobSubIndex(String(decoding: input, as: UTF8.self)) }) {
        law("places lie behind a beginning", index.tracks.allSatisfy { $0.entries.allSatisfy { $0.position >= 0 } })
        law("what decoders are set up with is text of ours", index.configuration.allSatisfy { $0 == 10 || (32..<127).contains($0) })
    }
    for position in [0, Int64(input.count / 2)] {
        guard let unit = accepted({ () throws(ParseError) in try SubpictureFile.unit(in: input, at: position, substream: Int(input.first ?? 0)) }) else { continue }
        law("a unit is a part of its file", !unit.bytes.isEmpty && unit.bytes.count <= input.count)
    }
}

private func checkSets(of packets: [(bytes: [UInt8], time: MediaTime)]) {
    var (assembler, decoder) = (PGSAssembler(), PGSDecoder())
    var sets: [PGSDisplaySet] = []
    for packet in packets { sets += assembler.add(packet.bytes[...], presentation: packet.time) }
    sets += [assembler.finish()].compactMap { $0 }
    // Most of the time would go into the pictures of long inputs.
    for displaySet in sets.prefix(64) {
        if displaySet.findings.isEmpty {
            var again = PGSAssembler()
            let read = again.add(displaySet.bytes[...], presentation: displaySet.presentation)
            law("a set is written as it was read", read.count == 1 && read.first?.findings.isEmpty == true && read.first?.composition == displaySet.composition)
        }
        let scene = decoder.decode(displaySet)
        law("a set without findings keeps its time", scene.presentation == displaySet.presentation)
        law("damage is said", displaySet.findings.allSatisfy { scene.findings.contains($0) })
        law("pictures are bounded", scene.pictures.count <= PGSDecoder.pictureLimit && scene.pictures.reduce(0) { $0 + $1.pixels.count } <= PGSDecoder.pixelLimit)
        for picture in scene.pictures {
            law("a picture has its pixels", picture.pixels.count == picture.width * picture.height && picture.palette.count == 256 && picture.width > 0)
        }
    }
}

private func checkSegment(_ segment: PGSSegment) {
    switch segment.kind {
    case .composition:
        guard let read = accepted({ () throws(ParseError) in try PGSComposition(segment.payload) }) else { return }
        law("a composition is written as it was read", accepted { () throws(ParseError) in try PGSComposition(read.segment.payload) } == read)
    case .windows:
        guard let read = accepted({ () throws(ParseError) in try PGSWindows(segment.payload) }) else { return }
        law("windows are written as they were read", accepted { () throws(ParseError) in try PGSWindows(read.segment.payload) } == read)
    case .palette:
        guard let read = accepted({ () throws(ParseError) in try PGSPalette(segment.payload) }) else { return }
        law("a palette is written as it was read", read.segment == segment)
    case .object:
        guard let read = accepted({ () throws(ParseError) in try PGSObjectFragment(segment.payload) }) else { return }
        law("a fragment is written as it was read", read.segment == segment)
        // Lines as wide as the first byte says.
        let width = Int(read.data.first ?? 1) + 1
        let (pixels, _) = PGSRunLengths.decode(read.data, width: width, height: 64)
        let (again, isWhole) = PGSRunLengths.decode(PGSRunLengths.encode(pixels, width: width)[...], width: width, height: 64)
        law("run lengths are read as they were written", again == pixels && isWhole)
    case .end, nil: return
    }
}
