import Foundation
import Locks
import LoopbackHTTP

/// Answers names from a closure.
struct FakeProvider: ResourceProvider {
    let answer: @Sendable (String) -> ResourceAnswer
    init(_ answer: @escaping @Sendable (String) -> ResourceAnswer) { self.answer = answer }
    func resource(named name: String) -> ResourceAnswer { answer(name) }
}

/// Opened once; a wait for it fails the test by returning false instead of hanging it.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Locked(false)

    func open() {
        condition.lock()
        isOpen.withLock { $0 = true }
        condition.broadcast()
        condition.unlock()
    }

    var hasOpened: Bool { isOpen.withLock { $0 } }

    @discardableResult func wait(atMost seconds: Double = 20) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen.withLock({ $0 }) {
            if !condition.wait(until: deadline) { return isOpen.withLock { $0 } }
        }
        return true
    }
}

/// Returns its outcomes one after the other without taking any time; then goes on being pending.
final class ScriptedPending: PendingResource {
    let contentType: String
    let etag: String?
    var isImmutable: Bool { etag != nil }
    private let script: Locked<[PendingOutcome]>
    private let log = Locked<(asked: [Duration], cancels: Int)>(([], 0))

    init(contentType: String = "video/mp4", etag: String? = nil, _ outcomes: [PendingOutcome]) {
        self.contentType = contentType
        self.etag = etag
        script = Locked(outcomes)
    }

    var asked: [Duration] { log.withLock { $0.asked } }
    var cancels: Int { log.withLock { $0.cancels } }

    func wait(atMost duration: Duration) -> PendingOutcome {
        log.withLock { $0.asked.append(duration) }
        return script.withLock { $0.isEmpty ? .stillPending : $0.removeFirst() }
    }

    func cancel() { log.withLock { $0.cancels += 1 } }
}

/// Really waits, until cancelled. `ignoresDuration` makes one wait last until then.
final class BlockingPending: PendingResource {
    let entered = Gate()
    let cancelled = Gate()
    private let ignoresDuration: Bool

    init(ignoresDuration: Bool = false) { self.ignoresDuration = ignoresDuration }

    func wait(atMost duration: Duration) -> PendingOutcome {
        entered.open()
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return cancelled.wait(atMost: ignoresDuration ? 60 : seconds) ? .failed : .stillPending
    }

    func cancel() { cancelled.open() }
}

/// A file that is gone from its folder, open until the last region of it is.
final class TemporaryFile: Sendable {
    let descriptor: Int32
    let released: Gate

    init(_ bytes: [UInt8], released: Gate = Gate()) {
        self.released = released
        var path = Array("/tmp/loopback-http-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        unlink(path)
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(Data(bytes))
    }

    deinit {
        close(descriptor)
        released.open()
    }

    func region(_ range: Range<Int>) -> FileRegion {
        FileRegion(descriptor: descriptor, offset: Int64(range.lowerBound), byteCount: range.count, owner: self)
    }
}

final class EventLog: Sendable {
    private let events = Locked<[ServerEvent]>([])
    var all: [ServerEvent] { events.withLock { $0 } }
    func append(_ event: ServerEvent) { events.withLock { $0.append(event) } }
}

func text(_ string: String, immutable: Bool = false, etag: String? = nil) -> Resource {
    Resource(contentType: "text/plain", body: ResourceBody(Array(string.utf8)), isImmutable: immutable, etag: etag)
}

/// Bytes that differ at neighbouring and at page-distant offsets, the same again every MiB.
func pattern(_ count: Int) -> [UInt8] {
    let block = (0..<min(count, 1 << 20)).map { (index: Int) -> UInt8 in
        let (page, far): (Int, Int) = ((index >> 8) &* 31, (index >> 16) &* 7)
        return UInt8(truncatingIfNeeded: index ^ page ^ far)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
}
