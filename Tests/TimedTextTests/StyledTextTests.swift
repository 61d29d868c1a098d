import Testing
import TimedText

@Suite struct StyledTextTests {
    @Test func neighboursOfOneStyleAreOneRun() {
        var text = StyledText("a")
        text.append("")
        text.append("b")
        text.append("c", .init(isItalic: true))
        text.append("d", .init(isItalic: true))
        #expect(text.runs == [.init("ab"), .init("cd", .init(isItalic: true))])
        #expect(text.plain == "abcd" && !text.isEmpty && StyledText("").isEmpty)
    }

    @Test func anAnchorLiesOnThePictureAndIsANumber() {
        #expect(TextPlacement.Anchor(x: -3, y: 7) == TextPlacement.Anchor(x: 0, y: 1))
        #expect(TextPlacement.Anchor(x: .nan, y: 0) == nil && TextPlacement.Anchor(x: 0, y: .infinity) == nil)
    }
}
