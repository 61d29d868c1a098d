import BitsAndTime
import Foundation
import Libav
import Locks
@testable import Remux
import TestSupport
import Testing

@Suite struct ProducerStopTests {
    /// A source whose end does not come: reading waits there until it is cancelled.
    private final class Unending: DemuxerInput {
        let isSeekable = false
        private let bytes: [UInt8]
        private var offset = 0
        private let interrupter: Interrupter
        let isWaiting = Monitor(false)

        init(_ bytes: [UInt8], interrupter: Interrupter) {
            self.bytes = bytes
            self.interrupter = interrupter
        }

        var byteCount: Int64? { nil }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
            let count = min(buffer.count, bytes.count - offset)
            if count > 0 {
                buffer.copyBytes(from: bytes[offset..<offset + count])
                offset += count
                return count
            }
            isWaiting.update { $0 = true }
            while !interrupter.isCancelled { usleep(500) }
            throw LibavError(errno: EINTR, operation: "read")
        }

        func seek(to offset: Int64) throws(LibavError) { throw LibavError(errno: ESPIPE, operation: "seek") }
    }

    /// Stopping a session cancels its reading before it tells the producer: whoever waits is told of an end, and nobody of a failure.
    @Test func readingThatWasCancelledIsNoFailure() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.ts", "-f lavfi -i testsrc2=s=160x90:r=24:d=4 -c:v libx264 -preset ultrafast -g 24")
        let bytes = [UInt8](try Data(contentsOf: url))
        let failures = Monitor(0)
        let outcome: Bool = try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result {
                    let interrupter = Interrupter()
                    let input = Unending(bytes, interrupter: interrupter)
                    let demuxer = try Demuxer(input: input, interrupter: interrupter)
                    let producer = Producer(
                        configuration: .init(
                            renditions: [], translators: [:], videoStreamIndex: 0, videoTimeBase: TickBase(numerator: 1, denominator: 90_000), plan: nil),
                        reader: SourceReader(demuxer: demuxer, interrupter: interrupter), store: SegmentStore(budget: 1 << 20, policy: .spilling(directory: "/nowhere"))
                    ) { event in
                        if case .failed = event { failures.update { $0 += 1 } }
                    }
                    producer.start()
                    let isWaiting: Bool? = input.isWaiting.wait(atMost: .seconds(60)) { $0 ? true : nil }
                    interrupter.cancel()
                    var place = ListeningPlace()
                    let followed = producer.follow(&place, of: .video, isCancelled: { false })
                    producer.stop()
                    guard isWaiting == true, case .ended = followed else { return false }
                    return producer.failure == nil
                })
            }.start()
        }
        #expect(outcome && failures.read { $0 } == 0)
    }
}
