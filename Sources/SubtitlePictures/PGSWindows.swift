package import BitsAndTime

/// window_definition_segment: the areas of the canvas that an epoch draws in.
package struct PGSWindows: Sendable, Equatable {
    package struct Window: Sendable, Equatable {
        package var id: UInt8
        package var x, y, width, height: UInt16

        package init(id: UInt8, x: UInt16, y: UInt16, width: UInt16, height: UInt16) {
            self.id = id
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    package var windows: [Window]

    package init(_ windows: [Window]) { self.windows = windows }

    package init(_ payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "pgs.windows")
        windows = []
        for _ in 0..<(try reader.readUInt8()) {
            windows.append(
                Window(
                    id: try reader.readUInt8(), x: try reader.readUInt16(), y: try reader.readUInt16(), width: try reader.readUInt16(),
                    height: try reader.readUInt16()))
        }
    }

    package var segment: PGSSegment {
        var writer = ByteWriter()
        writer.write(UInt8(truncatingIfNeeded: windows.count))
        for window in windows.prefix(255) {
            writer.write(window.id)
            for value in [window.x, window.y, window.width, window.height] { writer.write(value) }
        }
        return PGSSegment(.windows, writer.bytes)
    }
}
