internal import BitsAndTime

/// One component's curve: pieces between pivots, each with its own predictor (ETSI GS CCM 001 V1.1.1, rpu_data_mapping()).
package struct ReshapingCurve: Sendable, Equatable {
    /// How a piece predicts, with its order.
    package enum Piece: Sendable, Equatable {
        /// 1 or 2; coefficients from the constant up.
        case polynomial(order: UInt8)
        /// Between the piece's value and the next one's; the last piece holds both ends.
        case linearInterpolation
        /// Multivariate multiple regression over all components, of order 1…3: a constant, then seven coefficients an order.
        case multivariate(order: UInt8)
    }

    /// Each as the distance to the one before; 2…9 of them.
    package var pivots: [UInt16]
    /// One fewer than pivots.
    package var pieces: [Piece]
    /// Of all pieces, one after the other.
    package var coefficients: [Coefficient]

    package init(pivots: [UInt16], pieces: [Piece], coefficients: [Coefficient]) {
        self.pivots = pivots
        self.pieces = pieces
        self.coefficients = coefficients
    }

    /// Out as in, over the whole range of the base layer.
    package static func identity(_ header: RPUDataHeader) -> ReshapingCurve {
        ReshapingCurve(
            pivots: [0, UInt16((1 << header.baseLayerBitDepth) - 1)], pieces: [.polynomial(order: 1)], coefficients: [.zero, .one(header)])
    }

    /// Coefficients of the piece at `index`.
    package func coefficientCount(at index: Int) -> Int {
        switch pieces[index] {
        case .polynomial(let order): 1 + Int(order)
        case .linearInterpolation: index == pieces.count - 1 ? 2 : 1
        case .multivariate(let order): 1 + 7 * Int(order)
        }
    }

    init(parsingPivots bits: inout BitReader, bitDepth: Int) throws(ParseError) {
        let count = try bits.readUE()
        guard count <= 7 else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.num_pivots_minus2", "\(count)") }
        pivots = []
        pivots.reserveCapacity(Int(count) + 2)
        for _ in 0..<(count + 2) { pivots.append(UInt16(try bits.readBits(bitDepth))) }
        pieces = []
        coefficients = []
    }

    mutating func parsePieces(_ bits: inout BitReader, header: RPUDataHeader) throws(ParseError) {
        let count = pivots.count - 1
        pieces.reserveCapacity(count)
        coefficients.reserveCapacity(24)
        for index in 0..<count {
            let method = try bits.readUE()
            switch method {
            case 0:
                let order = try bits.readUE()
                guard order <= 1 else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.poly_order_minus1", "\(order)") }
                if order == 0, try bits.readFlag() {
                    pieces.append(.linearInterpolation)
                    for _ in 0..<coefficientCount(at: index, of: count) { coefficients.append(try Coefficient(parsingUnsigned: &bits, header: header)) }
                    continue
                }
                pieces.append(.polynomial(order: UInt8(order) + 1))
            case 1:
                let order = try bits.readBits(2)
                guard order <= 2 else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.mmr_order_minus1", "\(order)") }
                pieces.append(.multivariate(order: UInt8(order) + 1))
            default: throw ParseError(.malformed, at: bits.bitOffset / 8, in: "rpu.mapping_idc", "\(method)")
            }
            for _ in 0..<coefficientCount(at: index, of: count) { coefficients.append(try Coefficient(parsing: &bits, header: header)) }
        }
    }

    /// As ``coefficientCount(at:)``, while the pieces are still being read.
    private func coefficientCount(at index: Int, of count: Int) -> Int {
        if case .linearInterpolation = pieces[index] { return index == count - 1 ? 2 : 1 }
        return coefficientCount(at: index)
    }

    func serializePivots(into bits: inout BitWriter, bitDepth: Int) {
        bits.writeUE(UInt32(pivots.count - 2))
        for pivot in pivots { bits.writeBits(pivot, bitDepth) }
    }

    func serializePieces(into bits: inout BitWriter, header: RPUDataHeader) {
        var next = 0
        for (index, piece) in pieces.enumerated() {
            let end = next + coefficientCount(at: index)
            switch piece {
            case .polynomial(let order):
                bits.writeUE(0)
                bits.writeUE(UInt32(order) - 1)
                if order == 1 { bits.writeFlag(false) }
            case .linearInterpolation:
                bits.writeUE(0)
                bits.writeUE(0)
                bits.writeFlag(true)
                for coefficient in coefficients[next..<end] { coefficient.serializeUnsigned(into: &bits, header: header) }
                next = end
                continue
            case .multivariate(let order):
                bits.writeUE(1)
                bits.writeBits(order - 1, 2)
            }
            for coefficient in coefficients[next..<end] { coefficient.serialize(into: &bits, header: header) }
            next = end
        }
    }
}
