import Foundation
import Libav
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(1)))
struct InterruptionTests {
    /// A fresh named pipe.
    private func pipe(_ name: String) -> String {
        let path = Fixtures.directory + "/" + name
        unlink(path)
        mkfifo(path, 0o600)
        return path
    }

    /// The writing end, once a reader has the pipe open: only then does a non-blocking open succeed.
    private func writer(_ path: String) async -> Int32 {
        await onThread {
            while true {
                let descriptor = open(path, O_WRONLY | O_NONBLOCK)
                if descriptor >= 0 { return descriptor }
                sched_yield()
            }
        }
    }

    @Test func cancellingEndsAnOpenThatWaitsForAPipesWriter() async {
        let (path, interrupter) = (pipe("never.fifo"), Interrupter())
        async let kind = onThread { failure { _ = try Demuxer(url: path, interrupter: interrupter) }?.kind }
        interrupter.cancel()
        #expect(await kind == .cancelled)
        #expect(interrupter.isCancelled)
    }

    @Test func cancellingEndsAReadThatWaitsForAPipesBytes() async {
        let (path, interrupter) = (pipe("silent.fifo"), Interrupter())
        async let kind = onThread { failure { _ = try Demuxer(url: path, interrupter: interrupter) }?.kind }
        let descriptor = await writer(path)
        interrupter.cancel()
        #expect(await kind == .cancelled)
        close(descriptor)
    }

    @Test func cancellingEndsAnOpenOnASocketThatNeverAnswers() async throws {
        let (server, interrupter) = (try #require(SilentServer()), Interrupter())
        let url = "http://127.0.0.1:\(server.port)/film.mkv"
        async let kind = onThread { failure { _ = try Demuxer(url: url, interrupter: interrupter) }?.kind }
        let client = await onThread { server.acceptClient() }
        interrupter.cancel()
        #expect(await kind == .cancelled)
        close(client)
    }

    @Test func aDeadlineEndsWaiting() async {
        let (path, interrupter) = (pipe("deadline.fifo"), Interrupter())
        interrupter.setDeadline(.now + .milliseconds(50))
        #expect(await onThread { failure { _ = try Demuxer(url: path, interrupter: interrupter) }?.kind } == .deadlineExpired)
    }

    @Test func everyCallAfterwardsIsRefused() throws {
        let interrupter = Interrupter()
        let demuxer = try Demuxer(url: Fixtures.mp4, interrupter: interrupter)
        interrupter.setDeadline(.now - .seconds(1))
        #expect(failure { try demuxer.findStreamInfo() }?.kind == .deadlineExpired)
        #expect(failure { _ = try demuxer.readPacket() }?.kind == .deadlineExpired)
        interrupter.setDeadline(nil)
        #expect(try demuxer.readPacket() != nil)
        interrupter.setDeadline(.now + .seconds(3600))
        #expect(try demuxer.readPacket() != nil)
        interrupter.cancel()
        #expect(failure { _ = try demuxer.readPacket() }?.kind == .cancelled)
        #expect(failure { try demuxer.seekToStart() }?.kind == .cancelled)
        #expect(failure { try demuxer.seek(streamIndex: 0, timestamp: 0, backward: true) }?.kind == .cancelled)
        #expect(failure { try demuxer.loadIndex(streamIndex: 0) }?.kind == .cancelled)
    }

    @Test func aPipeIsReadForwardToItsEnd() async throws {
        let (path, bytes) = (pipe("film.fifo"), Fixtures.bytes(of: Fixtures.transportStream))
        async let count = onThread { () -> Int? in
            guard let demuxer = try? Demuxer(url: path), !demuxer.isSeekable else { return nil }
            guard failure({ try demuxer.seekToStart() })?.kind == .unsupported else { return nil }
            return try? PacketKey.all(of: demuxer).count
        }
        let descriptor = await writer(path)
        await onThread {
            _ = fcntl(descriptor, F_SETFL, 0)
            // A reader that gives up fails this test and does not end the process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(bytes))
        }
        #expect(await count == (try PacketKey.all(of: Demuxer(url: Fixtures.transportStream)).count))
    }
}
