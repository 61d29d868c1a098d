import BitsAndTime
import Foundation
import Subtitles
import TestSupport
import Testing

/// What Tesseract makes of pictures of our own, by the way a film's subtitles go: `.sup`, decoder, ink, lines, words.
@Suite(.serialized, .enabled(if: TesseractRecogniser().absence(of: "en") == nil, "Tesseract is not installed"))
struct RecognitionAccuracyTests {
    struct Sample: CustomTestStringConvertible {
        let language: String
        let texts: [String]
        var testDescription: String { language }
    }

    static let samples = [
        Sample(
            language: "en",
            texts: [
                "I don't know what you mean.\nWe were never in Illinois.", "- Is it still raining outside?\n- I'll have a look.", "It's 7:30 already, isn't it?",
                "You said \"never again\", Jim.\nThat was 15 years ago!", "Well, if I'd known that,\nI would have stayed at home.", "Quick! The boxer jumps over five lazy dogs.",
                "That will be $12.50, please.", "(DOOR CLOSES)", "MARY: Who's there?\nWho is it?", "Nothing's gonna happen to you\nas long as I'm here.",
                "Call me at 555-0172 tomorrow.", "The queen's physicist invented\na zigzag antenna in 1968.",
            ]),
        Sample(
            language: "de",
            texts: [
                "Ich weiß nicht, was du meinst.\nWir waren nie in Österreich.", "- Regnet es draußen noch?\n- Ich sehe mal nach.", "Es ist schon halb acht, oder?",
                "Du hast \"nie wieder\" gesagt, Jürgen.\nDas ist 15 Jahre her!", "Hätte ich das gewusst,\nwäre ich zu Hause geblieben.",
                "Zwölf Boxkämpfer jagen Viktor\nquer über den großen Sylter Deich.", "Das macht 12,50 Euro, bitte.", "Übrigens: Änderungen sind möglich.",
                "Die Straße ist gesperrt.\nWir müssen außen herum fahren.", "Dir passiert nichts,\nsolange ich hier bin.", "Ruf mich morgen um 8:15 Uhr an.", "Warum hörst du mir nie zu?",
            ]),
        Sample(
            language: "fr",
            texts: [
                "Je ne sais pas ce que tu veux dire.\nNous n'avons jamais été là-bas.", "- Il pleut encore dehors ?\n- Je vais voir ça.", "Il est déjà sept heures et demie, non ?",
                "C'était il y a quinze ans,\nça n'a plus d'importance.", "Si j'avais su, je serais resté\nà la maison avec Zoé.", "Portez ce vieux whisky\nau juge blond qui fume.",
                "Ça fera 12,50 euros, s'il vous plaît.", "Où êtes-vous allés hier soir ?", "L'été, les élèves de l'école\nnagent près de la forêt.",
                "Rien ne t'arrivera\ntant que je serai là.", "Appelle-moi demain à 8 h 15.", "Pourquoi ne m'écoutes-tu jamais ?",
            ]),
        Sample(
            language: "cs",
            texts: [
                "Nevím, co tím myslíš.\nNikdy jsme tam nebyli.", "- Ještě venku prší?\n- Podívám se.", "Už je půl osmé, že ano?", "To je patnáct let,\nuž na tom nezáleží.",
                "Kdybych to věděl,\nzůstal bych raději doma.", "Příliš žluťoučký kůň\núpěl ďábelské ódy.", "Bude to 125 korun, prosím.", "Kde jste byli včera večer?",
                "Děti ze školy plavou\nv řece poblíž lesa.", "Nic se ti nestane,\ndokud jsem tady.", "Zavolej mi zítra v 8:15.", "Proč mě nikdy neposloucháš?",
            ]),
    ]

    /// The texts read, and how many characters of how many were right.
    static func read(_ sample: Sample, _ style: RenderedSubtitles.Style) throws -> (right: Int, of: Int, wrong: [String]) {
        let file = try PictureFile(sup: try RenderedSubtitles.sup(sample.texts, style))
        let cues = try file.cues(of: 0)
        #expect(cues.count == sample.texts.count)
        let recogniser = TesseractRecogniser()
        var (right, total, wrong) = (0, 0, [String]())
        for (cue, expected) in zip(cues, sample.texts) {
            let lines = InkPicture(cue.objects[0])?.lines ?? []
            let text = try recogniser.read(lines, language: sample.language) { false }.map(\.text).joined(separator: "\n")
            let distance = editDistance(text, expected)
            total += expected.count
            right += max(0, expected.count - distance)
            if distance > 0 { wrong.append("\(expected.debugDescription) was read \(text.debugDescription)") }
        }
        return (right, total, wrong)
    }

    @Test(arguments: samples) func nearlyEveryCharacterIsRead(_ sample: Sample) throws {
        try #require(TesseractRecogniser().absence(of: sample.language) == nil, "Tesseract has no data for \(sample.language)")
        var (right, total, wrong) = (0, 0, [String]())
        // Of the other ways to draw, one a language: `PRISM_ALL_STYLES` reads every language in each.
        let index = try #require(Self.samples.firstIndex { $0.language == sample.language })
        let all = ProcessInfo.processInfo.environment["PRISM_ALL_STYLES"] != nil
        for style in all ? Self.styles : [Self.styles[0], Self.styles[1 + index % 3]] {
            let result = try Self.read(sample, style)
            (right, total, wrong) = (right + result.right, total + result.of, wrong + result.wrong)
        }
        #expect(Double(right) >= 0.98 * Double(total), "\(right) of \(total): \(wrong.joined(separator: "; "))")
    }

    /// No row without ink lies between them: an accent below reaches as far up as a tail above reaches down.
    @Test func linesThatReachIntoEachOtherAreRead() throws {
        let sample = Sample(language: "cs", texts: ["Nevypij, tygře, jógu\nČeši žijí v Říčanech"])
        let result = try Self.read(sample, RenderedSubtitles.Style(spacing: -14))
        #expect(result.right * 10 >= result.of * 9, "\(result.wrong)")
    }

    static let styles = [
        RenderedSubtitles.Style(),
        RenderedSubtitles.Style(font: "DejaVuSans-Bold.ttf", size: 48, fill: "yellow", extra: "shadowx=3:shadowy=3:shadowcolor=black@0.7"),
        RenderedSubtitles.Style(font: "DejaVuSerif.ttf", size: 60, fill: "black", extra: "borderw=3:bordercolor=white"),
        RenderedSubtitles.Style(size: 44, fill: "white", extra: "box=1:boxcolor=black@0.8:boxborderw=12"),
    ]
}
