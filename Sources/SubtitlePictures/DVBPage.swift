internal import BitsAndTime

/// What a packet of DVB subtitles says about its page, without what is on it.
///
/// Source: ETSI EN 300 743 V1.6.1, clauses 7.2 (subtitling_segment) and 7.2.2 (page_composition_segment).
package struct DVBPage: Sendable, Equatable {
    package enum State: UInt8, Sendable, Hashable {
        /// What changed since the page before it.
        case normal = 0
        /// All of the page, again: where a decoder may begin.
        case acquisitionPoint = 1
        /// All of a new page: nothing from before is part of it.
        case modeChange = 2
    }

    /// page_time_out, in seconds: what is shown goes away then if nothing renews it.
    package let timeOut: UInt8
    package let state: State
    /// No region is on the page: the screen is cleared.
    package let isEmpty: Bool

    /// The first page composition among a packet's segments; `nil` for a packet without one.
    package init?(packet bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes, context: "dvb")
        do throws(ParseError) {
            while reader.remaining >= 6 {
                guard try reader.readUInt8() == 0x0F else { return nil }
                let type = try reader.readUInt8()
                try reader.skip(2)
                let payload = try reader.readBytes(Int(try reader.readUInt16()))
                guard type == 0x10 else { continue }
                var page = ByteReader(payload, context: "dvb.page")
                timeOut = try page.readUInt8()
                // The fourth value is reserved; what a decoder may not begin at.
                state = State(rawValue: try page.readUInt8() >> 2 & 3) ?? .normal
                isEmpty = page.isAtEnd
                return
            }
            return nil
        } catch {
            return nil
        }
    }
}
