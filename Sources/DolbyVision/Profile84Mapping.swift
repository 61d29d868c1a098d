/// The mapping that all units of profile 8.4 share: from HLG with BT.2020 primaries to the PQ signal that is mapped to displays.
extension RPUDataMapping {
    package static let profile84 = RPUDataMapping(curves: [
        ReshapingCurve(
            pivots: [63, 69, 230, 256, 256, 37, 16, 8, 7],
            pieces: Array(repeating: .polynomial(order: 2), count: 8),
            coefficients: [
                .init(integer: -1, fraction: 7978928), .init(integer: 1, fraction: 8332855), .init(integer: -3, fraction: 4889184),
                .init(integer: -1, fraction: 8269552), .init(integer: 1, fraction: 5186604), .init(integer: -2, fraction: 3909327),
                .init(integer: 0, fraction: 1317527), .init(integer: 0, fraction: 5338528), .init(integer: -1, fraction: 7440486),
                .init(integer: 0, fraction: 2119979), .init(integer: 0, fraction: 2065496), .init(integer: 0, fraction: 2288524),
                .init(integer: 0, fraction: 7982780), .init(integer: -2, fraction: 5409990), .init(integer: 1, fraction: 1585336),
                .init(integer: 6, fraction: 3460436), .init(integer: -14, fraction: 3197328), .init(integer: 8, fraction: 615464),
                .init(integer: 13, fraction: 3921968), .init(integer: -30, fraction: 6820672), .init(integer: 16, fraction: 5546752),
                .init(integer: 28, fraction: 1947392), .init(integer: -62, fraction: 1244640), .init(integer: 34, fraction: 6094272),
            ]),
        ReshapingCurve(
            pivots: [0, 1023], pieces: [.multivariate(order: 3)],
            coefficients: [
                .init(integer: 1, fraction: 1150183), .init(integer: -1, fraction: 87355), .init(integer: -2, fraction: 6228986),
                .init(integer: -5, fraction: 642500), .init(integer: 2, fraction: 1023296), .init(integer: 5, fraction: 6569512),
                .init(integer: 9, fraction: 5128216), .init(integer: -12, fraction: 4317296), .init(integer: -1, fraction: 8299905),
                .init(integer: -1, fraction: 5819931), .init(integer: 3, fraction: 2324124), .init(integer: -1, fraction: 7273546),
                .init(integer: -5, fraction: 1562484), .init(integer: -12, fraction: 3679480), .init(integer: 18, fraction: 6357360),
                .init(integer: -1, fraction: 8172981), .init(integer: 0, fraction: 3261951), .init(integer: -2, fraction: 5970055),
                .init(integer: 0, fraction: 927142), .init(integer: 2, fraction: 3525840), .init(integer: 7, fraction: 5110348),
                .init(integer: -19, fraction: 6236848),
            ]),
        ReshapingCurve(
            pivots: [0, 1023], pieces: [.multivariate(order: 3)],
            coefficients: [
                .init(integer: -2, fraction: 6266112), .init(integer: 4, fraction: 193104), .init(integer: 0, fraction: 5369128),
                .init(integer: 5, fraction: 2553116), .init(integer: -2, fraction: 8009648), .init(integer: -8, fraction: 2772020),
                .init(integer: -1, fraction: 3122453), .init(integer: 1, fraction: 2961581), .init(integer: -4, fraction: 6769788),
                .init(integer: -1, fraction: 2565605), .init(integer: -6, fraction: 7864496), .init(integer: 1, fraction: 4777288),
                .init(integer: 12, fraction: 649616), .init(integer: 0, fraction: 7036536), .init(integer: -4, fraction: 1666406),
                .init(integer: 1, fraction: 406265), .init(integer: 0, fraction: 2901521), .init(integer: 2, fraction: 2680224),
                .init(integer: -1, fraction: 146340), .init(integer: -8, fraction: 1008052), .init(integer: -1, fraction: 4366810),
                .init(integer: 4, fraction: 5080852),
            ]),
    ])
}
