import Locks

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A flag that `poll` can wait for: any thread raises it, one thread waits.
final class WakePipe: Sendable {
    /// -1 when closed. The lock keeps a late `raise` from writing to a descriptor that means something else by then.
    private let ends: Locked<(read: Int32, write: Int32)>

    /// Nil when no descriptors are left; `errno` tells.
    init?() {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return nil }
        for descriptor in descriptors {
            DescriptorFlags.setNonBlocking(descriptor)
            DescriptorFlags.setCloseOnExec(descriptor)
        }
        ends = Locked((descriptors[0], descriptors[1]))
    }

    deinit { close() }

    /// For `poll`; owned by the pipe.
    var readDescriptor: Int32 { ends.withLock { $0.read } }

    func raise() {
        ends.withLock { ends in
            var byte: UInt8 = 1
            // A full pipe is a raised flag already.
            if ends.write >= 0 { _ = write(ends.write, &byte, 1) }
        }
    }

    func lower() {
        ends.withLock { ends in
            guard ends.read >= 0 else { return }
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            while read(ends.read, &bytes, bytes.count) > 0 {}
        }
    }

    /// Waits until raised, closed before the call, or `duration` has passed. True when raised.
    func wait(atMost duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        var entry = pollfd(fd: readDescriptor, events: Int16(POLLIN), revents: 0)
        guard entry.fd >= 0 else { return false }
        return ReadyPoll.wait(&entry, until: deadline)
    }

    func close() {
        ends.withLock { ends in
            if ends.read >= 0 { closeDescriptor(ends.read) }
            if ends.write >= 0 { closeDescriptor(ends.write) }
            ends = (-1, -1)
        }
    }
}
