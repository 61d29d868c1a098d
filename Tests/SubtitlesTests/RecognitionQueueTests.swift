import BitsAndTime
import Foundation
import Locks
import Subtitles
import TestSupport
import TimedText
import Testing

/// A reader that says what it was given, when it is let.
private final class ScriptedRecogniser: TextRecogniser {
    let name = "scripted"
    let isOpen = Monitor(true)
    let calls = Locked<[Int]>([])
    let niceness = Locked<[Int32]>([])

    func absence(of language: String?) -> RecognitionAbsence? { language == "tlh" ? .noData(language: "Klingon", remedy: "learn it") : nil }

    func read(_ lines: [InkPicture], language: String?, isCancelled: @escaping @Sendable () -> Bool) throws(RecognitionError) -> [RecognisedLine] {
        while isOpen.wait(atMost: .milliseconds(20), until: { $0 ? true : nil }) == nil {
            if isCancelled() { throw .cancelled }
        }
        if isCancelled() { throw .cancelled }
        // What tells our pictures apart is their width.
        let width = lines[0].width
        #if canImport(Glibc)
        niceness.withLock { $0.append(getpriority(.init(PRIO_PROCESS.rawValue), 0)) }
        #endif
        calls.withLock { $0.append(width) }
        return [RecognisedLine(text: "\(width)", confidence: 1)]
    }
}

/// What a queue answered, in its order.
private final class Answers: Sendable {
    let all = Monitor<[Result<[RecognisedLine], RecognitionError>]>([])
    func add(_ result: Result<[RecognisedLine], RecognitionError>) { all.update { $0.append(result) } }
    func wait(for count: Int) -> [Result<[RecognisedLine], RecognitionError>] { all.wait(atMost: .seconds(60)) { $0.count >= count ? $0 : nil } ?? [] }
}

@Suite(.serialized) struct RecognitionQueueTests {
    /// A block of ink of that width, 56 high so that it is not scaled, of which ink is `width`.
    private static func object(_ width: Int) -> PictureObject {
        PictureObject(x: 0, y: 0, width: width, height: 56, pixels: [UInt8](repeating: 1, count: width * 56), palette: [0, 0xFFFF_FFFF], isForced: false)
    }

    private static func seconds(_ value: Int64) -> MediaTime { MediaTime(ticks: value, timescale: 1) }
    /// With the paper around it.
    private static func paper(_ width: Int) -> Int { width + 32 }

    /// Blocking calls do not belong on the cooperative pool.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in Thread { continuation.resume(returning: body()) }.start() }
    }

    @Test func whatTheViewerSeesNextIsReadFirst() async {
        let reader = ScriptedRecogniser()
        let calls = await onThread {
            let (queue, answers) = (RecognitionQueue(reader), Answers())
            reader.isOpen.update { $0 = false }
            queue.move(to: Self.seconds(100))
            // The first is taken at once; the rest wait.
            queue.read(Self.object(10), at: Self.seconds(500), language: nil) { answers.add($0) }
            while queue.statistics.waiting > 0 { Thread.sleep(forTimeInterval: 0.001) }
            for (width, time) in [(20, 300), (30, 40), (40, 95), (50, 110)] { queue.read(Self.object(width), at: Self.seconds(Int64(time)), language: nil) { answers.add($0) } }
            reader.isOpen.update { $0 = true }
            _ = answers.wait(for: 5)
            queue.stop()
            return reader.calls.withLock { $0 }
        }
        #expect(calls == [10, 40, 50, 20, 30].map { Self.paper($0) })
    }

    @Test func noPictureIsReadTwice() async {
        let reader = ScriptedRecogniser()
        let (statistics, count) = await onThread {
            let (queue, answers) = (RecognitionQueue(reader), Answers())
            for time in 0..<4 { queue.read(Self.object(10), at: Self.seconds(Int64(time)), language: "en") { answers.add($0) } }
            _ = answers.wait(for: 4)
            queue.read(Self.object(10), at: Self.seconds(9), language: "en") { answers.add($0) }
            // Another language is another reading.
            queue.read(Self.object(10), at: Self.seconds(9), language: "de") { answers.add($0) }
            let all = answers.wait(for: 6)
            queue.stop()
            return (queue.statistics, all.filter { (try? $0.get().map(\.text)) == ["\(Self.paper(10))"] }.count)
        }
        #if canImport(Glibc)
        // Sound and pictures go first.
        #expect(reader.niceness.withLock { $0 } == [19, 19])
        #endif
        #expect(statistics.read == 2 && statistics.remembered == 4 && statistics.waitingBytes == 0)
        #expect(count == 6)
    }

    @Test func whatWaitsIsBoundedAndTheFurthestGoes() async {
        let reader = ScriptedRecogniser()
        let (all, statistics) = await onThread {
            var limits = RecognitionQueue.Limits()
            limits.waitingBytes = 56 * 100
            let (queue, answers) = (RecognitionQueue(reader, limits: limits), Answers())
            reader.isOpen.update { $0 = false }
            queue.read(Self.object(10), at: Self.seconds(0), language: nil) { _ in }
            while queue.statistics.waiting > 0 { Thread.sleep(forTimeInterval: 0.001) }
            queue.read(Self.object(60), at: Self.seconds(900), language: nil) { answers.add($0) }
            queue.read(Self.object(50), at: Self.seconds(10), language: nil) { answers.add($0) }
            reader.isOpen.update { $0 = true }
            let all = answers.wait(for: 2)
            queue.stop()
            return (all, queue.statistics)
        }
        #expect(all.first == .failure(.displaced))
        #expect(statistics.displaced == 1 && statistics.read == 2)
    }

    @Test func stoppingAnswersEveryone() async {
        let reader = ScriptedRecogniser()
        let all = await onThread {
            let (queue, answers) = (RecognitionQueue(reader), Answers())
            reader.isOpen.update { $0 = false }
            for width in [10, 20, 30] { queue.read(Self.object(width), at: Self.seconds(1), language: nil) { answers.add($0) } }
            queue.stop()
            queue.read(Self.object(40), at: Self.seconds(1), language: nil) { answers.add($0) }
            return answers.wait(for: 4)
        }
        #expect(all == [Result<[RecognisedLine], RecognitionError>](repeating: .failure(.cancelled), count: 4))
    }

    @Test func absenceIsAnAnswerWithAName() throws {
        let answers = Answers()
        RecognitionQueue(ScriptedRecogniser()).read(Self.object(10), at: .zero, language: "tlh") { answers.add($0) }
        #expect(answers.wait(for: 1) == [.failure(.absent(.noData(language: "Klingon", remedy: "learn it")))])
        let tesseract = TesseractRecogniser()
        let absence = try #require(tesseract.absence(of: "tlh"))
        #expect(String(describing: absence).contains("Tesseract"))
    }

    @Test func aQueueWithNothingToDoLetsItsThreadGoAndBeginsAnother() async {
        let reader = ScriptedRecogniser()
        let count = await onThread {
            var limits = RecognitionQueue.Limits()
            limits.idle = .milliseconds(1)
            let (queue, answers) = (RecognitionQueue(reader, limits: limits), Answers())
            for width in 10..<30 {
                queue.read(Self.object(width), at: .zero, language: nil) { answers.add($0) }
                _ = answers.wait(for: width - 9)
            }
            return answers.wait(for: 20).count
        }
        #expect(count == 20)
    }

    @Test func aCueIsReadWhenAllItsPicturesAre() async {
        let reader = ScriptedRecogniser()
        let canvas = PictureCanvas(width: 100, height: 100, coveredWidth: 100, coveredHeight: 100)
        let (texts, errors) = await onThread {
            let queue = RecognitionQueue(reader)
            let answer = Monitor<RecognitionQueue.ReadCue?>(nil)
            // The second has no ink.
            let blank = PictureObject(x: 0, y: 90, width: 2, height: 1, pixels: [0, 0], palette: [0], isForced: false)
            let cue = PictureCue(start: Self.seconds(1), end: Self.seconds(2), ending: .replaced, objects: [Self.object(10), blank, Self.object(20)], canvas: canvas)
            queue.read(cue, language: nil, on: nil) { read in answer.update { $0 = read } }
            let read = answer.wait(atMost: .seconds(60)) { $0 }
            queue.stop()
            return (read?.cues.map(\.cue.text.plain), read?.errors)
        }
        #expect(texts == ["\(Self.paper(10))", "\(Self.paper(20))"] && errors == [])
    }

    @Test func readingsBecomeCuesOfWordsWhereTheirPicturesStood() {
        let canvas = PictureCanvas(width: 1920, height: 1080, coveredWidth: 1920, coveredHeight: 1080)
        func object(_ y: Int, _ isForced: Bool) -> PictureObject {
            PictureObject(x: 0, y: y, width: 1, height: 1, pixels: [0], palette: [], isForced: isForced)
        }
        let cue = PictureCue(start: Self.seconds(1), end: Self.seconds(2), ending: .replaced, objects: [object(100, true), object(900, false), object(950, false)], canvas: canvas)
        let line = { (text: String) in RecognisedLine(text: text, confidence: 1) }
        let cues = cue.textCues([[line("A SIGN")], [line("Two"), line("lines")], []], on: nil)
        #expect(cues.map(\.cue.text.plain) == ["A SIGN", "Two\nlines"])
        #expect(cues.map(\.isForced) == [true, false])
        #expect(cues.map(\.cue.placement) == [TextPlacement(.top), nil])
        var next = cues[1].cue
        (next.start, next.end) = (Self.seconds(2), Self.seconds(3))
        #expect(TextCue.joiningRepeats(cues.map(\.cue) + [next]).map(\.end) == [Self.seconds(2), Self.seconds(3)])
    }
}
