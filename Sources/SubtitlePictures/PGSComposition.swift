package import BitsAndTime

/// presentation_composition_segment: the canvas, where in an epoch the set stands, and what is shown where. No objects: the screen is cleared.
package struct PGSComposition: Sendable, Equatable {
    package struct Placed: Sendable, Equatable {
        package var objectID: UInt16
        package var windowID: UInt8
        /// object_cropped_flag (0x80), forced_on_flag (0x40), six reserved bits.
        package var flags: UInt8
        /// Of the object's, or its crop's, top left corner on the canvas, in pixels.
        package var x: UInt16
        package var y: UInt16
        /// Present exactly when the flag says so; in pixels of the object.
        package var crop: Crop?

        package init(objectID: UInt16, windowID: UInt8 = 0, x: UInt16, y: UInt16, isForced: Bool = false, crop: Crop? = nil) {
            self.objectID = objectID
            self.windowID = windowID
            flags = (isForced ? 0x40 : 0) | (crop == nil ? 0 : 0x80)
            self.x = x
            self.y = y
            self.crop = crop
        }

        package var isForced: Bool { flags & 0x40 != 0 }
    }

    package struct Crop: Sendable, Equatable {
        package var x, y, width, height: UInt16

        package init(x: UInt16, y: UInt16, width: UInt16, height: UInt16) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// The canvas, in pixels.
    package var width: UInt16
    package var height: UInt16
    /// frame_rate code and four reserved bits.
    package var frameRate: UInt8 = 0x10
    /// composition_number: counts the sets that change something.
    package var number: UInt16
    /// composition_state in the upper two bits.
    package var state: UInt8
    /// palette_update_only_flag (0x80) and seven reserved bits.
    package var paletteUpdate: UInt8 = 0
    package var paletteID: UInt8
    package var objects: [Placed]

    package static let normal: UInt8 = 0x00
    package static let acquisitionPoint: UInt8 = 0x40
    package static let epochStart: UInt8 = 0x80

    package init(width: UInt16, height: UInt16, number: UInt16, state: UInt8, paletteID: UInt8 = 0, objects: [Placed]) {
        self.width = width
        self.height = height
        self.number = number
        self.state = state
        self.paletteID = paletteID
        self.objects = objects
    }

    /// Nothing from before is needed: the set defines all it shows. Decoding may begin at such a set, and what a decoder kept is dropped there,
    /// so that what follows is the same wherever it began.
    package var isSelfContained: Bool { state & 0xC0 != 0 && state & 0xC0 != 0xC0 }

    package init(_ payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "pgs.composition")
        width = try reader.readUInt16()
        height = try reader.readUInt16()
        frameRate = try reader.readUInt8()
        number = try reader.readUInt16()
        state = try reader.readUInt8()
        paletteUpdate = try reader.readUInt8()
        paletteID = try reader.readUInt8()
        objects = []
        for _ in 0..<(try reader.readUInt8()) {
            var placed = Placed(objectID: try reader.readUInt16(), windowID: try reader.readUInt8(), x: 0, y: 0)
            placed.flags = try reader.readUInt8()
            placed.x = try reader.readUInt16()
            placed.y = try reader.readUInt16()
            if placed.flags & 0x80 != 0 {
                placed.crop = Crop(
                    x: try reader.readUInt16(), y: try reader.readUInt16(), width: try reader.readUInt16(), height: try reader.readUInt16())
            }
            objects.append(placed)
        }
    }

    /// Bytes behind the last object are not kept.
    package var segment: PGSSegment {
        var writer = ByteWriter()
        writer.write(width)
        writer.write(height)
        writer.write(frameRate)
        writer.write(number)
        writer.write(state)
        writer.write(paletteUpdate)
        writer.write(paletteID)
        writer.write(UInt8(truncatingIfNeeded: objects.count))
        for placed in objects.prefix(255) {
            writer.write(placed.objectID)
            writer.write(placed.windowID)
            writer.write(placed.flags)
            writer.write(placed.x)
            writer.write(placed.y)
            guard let crop = placed.crop else { continue }
            for value in [crop.x, crop.y, crop.width, crop.height] { writer.write(value) }
        }
        return PGSSegment(.composition, writer.bytes)
    }
}
