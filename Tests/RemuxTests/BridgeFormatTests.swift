import Libav
import Testing

@testable import Remux

extension BridgeLadder {
    /// As the player's table makes them.
    fileprivate static let compatible = BridgeLadder(stereo: [Rung(.flac), Rung(.eac3)], surround: [Rung(.eac3), Rung(.flac)])
    fileprivate static let lossless = BridgeLadder(stereo: [Rung(.flac), Rung(.eac3)], surround: [Rung(.flac), Rung(.eac3)])
}

@Suite struct BridgeFormatTests {
    private func format(_ mask: UInt64, _ rate: Int32 = 48000, bits: Int = 0, _ ladder: BridgeLadder = .compatible) throws -> BridgeFormat {
        try #require(BridgeFormat(.init(sampleRate: rate, layout: ChannelLayout(mask: mask), losslessBits: bits), ladder: ladder))
    }

    private static let compatibleFormats: [(UInt64, String, TrackCodec)] = [
        (0x4, "mono", TrackCodec.flac), (0x3, "stereo", .flac), (0x6000_0000, "stereo", .flac), (0x7, "3.0", .eac3), (0xB, "2.1", .eac3), (0x107, "4.0", .eac3),
        (0x33, "quad", .eac3), (0x37, "5.0(side)", .eac3), (0x607, "5.0(side)", .eac3), (0x3F, "5.1(side)", .eac3), (0x60F, "5.1(side)", .eac3),
        (0x70F, "5.1(side)", .eac3), (0x63F, "5.1(side)", .eac3), (0x637, "5.0(side)", .eac3), (0x2D63F, "5.1(side)", .eac3),
    ]

    @Test(arguments: compatibleFormats)
    func compatibleIsEAC3AboveTwoChannels(mask: UInt64, layout: String, codec: TrackCodec) throws {
        let made = try format(mask)
        #expect(made.codec == codec)
        #expect(made.settings.format.layout.description == layout)
        if codec == .eac3 { #expect(made.settings.bitRate == 128_000 * Int64(made.settings.format.layout.channelCount)) }
    }

    private static let losslessFormats: [(UInt64, String)] = [
        (0x4, "mono"), (0x3, "stereo"), (0x7, "3.0"), (0xB, "5.1"), (0x33, "quad"), (0x607, "5.0"), (0x3F, "5.1"), (0x60F, "5.1"), (0x107, "6.1"),
        (0x70F, "6.1"), (0x637, "7.1"), (0x63F, "7.1"), (0x2D63F, "7.1"),
    ]

    @Test(arguments: losslessFormats)
    func losslessIsFLACInALayoutThatHasEverySpeaker(mask: UInt64, layout: String) throws {
        let made = try format(mask, 96000, bits: 24, .lossless)
        #expect(made.codec == .flac)
        #expect(made.settings.format.layout.description == layout)
        #expect(made.settings.format.sampleRate == 96000)
        #expect(made.settings.bitsPerSample == 24)
    }

    private static let eac3Rates: [(Int32, Int32)] = [
        (48000, 48000), (44100, 44100), (32000, 32000), (96000, 48000), (192_000, 48000), (88200, 44100), (176_400, 44100), (64000, 32000), (22050, 44100),
        (24000, 48000), (16000, 48000), (11025, 44100), (8000, 48000),
    ]

    @Test(arguments: eac3Rates)
    func eAC3TakesTheNearestOfItsRates(rate: Int32, encoded: Int32) throws {
        #expect(try format(0x3F, rate).settings.format.sampleRate == encoded)
    }

    /// What is encoded for a player is what it takes, not what it was just said not to.
    @Test func aRungsLimitsHold() throws {
        func made(_ mask: UInt64, _ rate: Int32, _ rung: BridgeLadder.Rung) throws -> AudioEncoder.Settings {
            try #require(
                BridgeFormat(.init(sampleRate: rate, layout: ChannelLayout(mask: mask), losslessBits: 24), ladder: BridgeLadder(stereo: [rung], surround: [rung]))).settings
        }
        let narrow = BridgeLadder.Rung(.flac, maximumSampleRate: 192_000, maximumBitDepth: 16)
        #expect(try made(0x3, 352_800, narrow).format.sampleRate == 44_100)
        #expect(try made(0x3, 384_000, narrow).format.sampleRate == 48_000)
        #expect(try made(0x3, 192_000, narrow).format.sampleRate == 192_000)
        #expect(try made(0x3, 48_000, narrow).bitsPerSample == 16)
        #expect(try made(0x3F, 48_000, .init(.eac3, maximumChannels: 2)).format.layout == .stereo)
        #expect(try made(0x3F, 48_000, .init(.eac3, maximumChannels: 5)).format.layout == .surround50)
        #expect(try made(0x3F, 48_000, .init(.eac3, maximumChannels: 6)).format.layout == .surround51)
    }

    @Test func flacKeepsTheSourcesRateAndDepth() throws {
        for rate in [8000, 11025, 44100, 48000, 88200, 96000, 176_400, 192_000] as [Int32] {
            #expect(try format(0x3, rate).settings.format.sampleRate == rate)
        }
        #expect(try format(0x3, bits: 0).settings.bitsPerSample == 16)
        #expect(try format(0x3, bits: 16).settings.format.sampleFormat == .signed16)
        #expect(try format(0x3, bits: 24).settings.format.sampleFormat == .signed32)
    }

    @Test func aBuildWithoutTheEncoderTakesTheNextBestAndNoneIsNone() {
        func format(_ names: Set<String>) -> BridgeFormat? {
            BridgeFormat(
                .init(sampleRate: 48000, layout: .surround51), ladder: .compatible,
                encoders: .init(has: { names.contains($0) }, takesRate: { _, _ in true }, takesLayout: { _, _ in true }))
        }
        #expect(format(["eac3", "flac"])?.codec == .eac3)
        #expect(format(["flac"])?.codec == .flac)
        #expect(format(["aac"]) == nil)
    }

    @Test func speakersInTheSameOrderAreNotMixed() throws {
        #expect(try format(0x3F).renamed(ChannelLayout(mask: 0x3F)) == .surround51)
        #expect(try format(0x3F, 48000, bits: 16, .lossless).renamed(.surround51) == ChannelLayout(mask: 0x3F))
        let seven = try format(0x13F, 48000, bits: 16, .lossless)
        #expect(seven.renamed(ChannelLayout(mask: 0x13F)) == ChannelLayout(mask: 0x13F), "6.1 with its surrounds at the back is in another order")
    }
}

@Suite struct BridgeDemandTests {
    @Test func whatNobodyAsksForRests() {
        var demand = BridgeDemand(bridged: [.audio(0), .audio(1)], onDemand: [.audio(1)])
        #expect(demand.resting == [.audio(1)])
        #expect(demand.demand(.video, index: 40) == [])
        #expect(demand.resting == [.audio(1)])
        // Both are fetched around a change of tracks.
        for index in 5...7 { _ = demand.demand(.audio(0), index: index) }
        #expect(demand.demand(.audio(1), index: 8) == [])
        #expect(demand.resting == [])
        #expect(demand.demand(.audio(1), index: 10) == [])
        #expect(demand.demand(.audio(1), index: 11) == [.audio(0)])
        #expect(demand.resting == [.audio(0)])
        // And back again.
        #expect(demand.demand(.audio(0), index: 11) == [])
        #expect(demand.resting == [])
    }

    @Test func whatIsWaitedForDoesNotRest() {
        var demand = BridgeDemand(bridged: [.audio(0), .audio(1)], onDemand: [])
        #expect(demand.demand(.audio(1), index: 9, awaited: [.audio(0)]) == [])
        #expect(demand.resting == [])
        #expect(demand.demand(.audio(1), index: 10) == [.audio(0)])
    }

    @Test func goingBackBeforeChangingTracksPutsTheOldOneToRestToo() {
        var demand = BridgeDemand(bridged: [.audio(0), .audio(1)], onDemand: [])
        for index in 98...100 { _ = demand.demand(.audio(0), index: index) }
        #expect(demand.demand(.audio(1), index: 5) == [.audio(0)])
    }

    @Test func aCopiedTrackPutsABridgedOneToRest() {
        var demand = BridgeDemand(bridged: [.audio(1)], onDemand: [])
        _ = demand.demand(.audio(1), index: 0)
        #expect(demand.demand(.audio(0), index: 3) == [])
        #expect(demand.demand(.audio(0), index: 4) == [.audio(1)])
    }

    /// A player that begins with another track: nothing of the default one is encoded ahead for it.
    @Test func aDefaultNobodyAskedForRestsAsSoonAsAnotherTrackGoesOn() {
        var demand = BridgeDemand(bridged: [.audio(0)], onDemand: [])
        #expect(demand.demand(.audio(1), index: 0) == [], "a player may ask for the first segment of each")
        #expect(demand.demand(.audio(1), index: 1) == [.audio(0)])
        #expect(demand.demand(.audio(0), index: 2) == [])
        #expect(demand.resting == [])
    }
}
