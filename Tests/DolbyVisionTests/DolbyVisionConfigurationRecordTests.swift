import BitsAndTime
import DolbyVision
import TestSupport
import Testing

struct DolbyVisionConfigurationRecordTests {
    @Test func fieldsAreReadAndWritten() throws {
        let bytes = SyntheticUnit.bytes("0100 1035 1000 0000 00000000 00000000 00000000 00000000")
        let record = try DolbyVisionConfigurationRecord(parsing: bytes)
        #expect(record == DolbyVisionConfigurationRecord(profile: 8, level: 6, compatibilityID: 1))
        #expect(record.serialized() == bytes)
        let dual = try DolbyVisionConfigurationRecord(parsing: SyntheticUnit.bytes("0100 0E37 6000 0000 00000000 00000000 00000000 00000000"))
        #expect(dual == DolbyVisionConfigurationRecord(profile: 7, level: 6, compatibilityID: 6, hasEnhancementLayer: true))
    }

    @Test func anyRecordSurvives() throws {
        var random = SeededRandom(seed: 8)
        for count in [8, 9, 20, 24, 30] {
            for _ in 0..<100 {
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(try DolbyVisionConfigurationRecord(parsing: bytes).serialized() == bytes)
            }
        }
        for cut in Damage.truncations(of: [UInt8](repeating: 1, count: 8)) {
            #expect(throws: ParseError.self) { try DolbyVisionConfigurationRecord(parsing: cut) }
        }
    }

    @Test(arguments: [(4, "dvcC"), (5, "dvcC"), (7, "dvcC"), (8, "dvvC"), (9, "dvvC"), (10, "dvvC"), (11, "dvwC"), (20, "dvwC")] as [(UInt8, String)])
    func theBoxIsNamedByTheProfile(_ profile: UInt8, _ type: String) {
        #expect(DolbyVisionConfigurationRecord(profile: profile, level: 1, compatibilityID: 0).boxType == type)
    }

    @Test(
        arguments: [
            (320, 180, 24, 1, 1), (1280, 720, 30, 1, 2), (1920, 1080, 24000, 1001, 3), (1920, 1080, 24, 1, 3), (1920, 1080, 30, 1, 4),
            (1920, 1080, 60, 1, 5), (3840, 2160, 24000, 1001, 6), (3840, 2160, 24, 1, 6), (3840, 2160, 25, 1, 7), (3840, 1600, 30, 1, 6),
            (3840, 2160, 50, 1, 9), (3840, 2160, 60000, 1001, 9), (3840, 2160, 120, 1, 10), (7680, 4320, 24, 1, 11), (7680, 4320, 60, 1, 12),
            (7680, 4320, 120, 1, 13), (16000, 9000, 60, 1, 13), (3840, 2160, 0, 0, 6), (4096, 2160, 24, 1, 11),
        ] as [(Int, Int, Int, Int, UInt8)])
    func theLevelIsTheLeastThatFits(_ width: Int, _ height: Int, _ numerator: Int, _ denominator: Int, _ level: UInt8) {
        #expect(DolbyVisionConfigurationRecord.level(width: width, height: height, pictureRate: (numerator, denominator)) == level)
    }
}
