#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// One client connection, from its first request to its end, on its own thread.
struct Connection {
    /// What all connections of a server share.
    struct Service: Sendable {
        let table: ConnectionTable
        let provider: any ResourceProvider
        let gate: RequestGate
        let limits: LoopbackHTTPServer.Limits
        let onEvent: (@Sendable (ServerEvent) -> Void)?
    }

    /// What becomes of the connection after an answer.
    private enum Next {
        case persist
        /// The answer is complete and was the last.
        case finish
        /// The client is gone, or must notice that the answer is not whole.
        case cut
    }

    private enum Request {
        case head(RequestHead)
        case refused(Status)
        case none
    }

    private enum Waited {
        case ready(Resource)
        case earlyHead
        case failed
        case timedOut
        case clientGone
    }

    private let id: Int
    private let service: Service
    private let socket: ClientSocket
    private let activity: ActivityCell
    private var parser: RequestHeadParser
    private var placement = ThreadPlacement()
    private var scratch = [UInt8](repeating: 0, count: 16 * 1024)
    /// The head at hand, written into the same memory each time.
    private var outgoing: [UInt8] = []
    /// The Date field, and the second it was made for.
    private var date = (second: time_t.min, text: "")

    init(id: Int, descriptor: Int32, activity: ActivityCell, service: Service) {
        self.id = id
        self.service = service
        self.activity = activity
        let limits = service.limits
        socket = ClientSocket(descriptor: descriptor)
        parser = RequestHeadParser(requestLineBytes: limits.requestLineBytes, headBytes: limits.headBytes, headFields: limits.headFields)
    }

    /// Serves until either side ends it. The caller closes the descriptor.
    mutating func run() {
        let allowed = max(1, service.limits.requestsPerConnection)
        for count in 1...allowed {
            switch nextRequest(isFirst: count == 1) {
            case .none: return
            case .refused(let status):
                if send(Response(refusing: status), persists: false, to: nil) == .finish { finishOrderly() }
                return
            case .head(let head):
                switch answer(head, mayPersist: count < allowed) {
                case .persist: continue
                case .finish:
                    finishOrderly()
                    return
                case .cut: return
                }
            }
        }
    }

    private func finishOrderly() {
        activity.setIdle(since: .now)
        socket.finishOrderly()
    }

    /// The next request head, pipelined or awaited. Both the pause before it and its own arrival are bounded.
    private mutating func nextRequest(isFirst: Bool) -> Request {
        var deadline: ContinuousClock.Instant?
        var hasBegun = false
        while true {
            switch parser.next() {
            case .head(let head):
                if deadline != nil { activity.setBusy() }
                if placement.noteRequest(isAlone: service.table.noteRequest(of: id)) { ThreadPlacement.joinClient(of: socket) }
                return .head(head)
            case .refused(let status): return .refused(status)
            case .needsMore: break
            }
            if deadline == nil || !hasBegun && parser.isInsideHead {
                let now = ContinuousClock.now
                // A head that has begun is still nothing to be busy with. A new connection is idle since it was admitted.
                if deadline == nil, !isFirst { activity.setIdle(since: now) }
                hasBegun = parser.isInsideHead
                deadline = now + (hasBegun ? service.limits.headTimeout : service.limits.idleTimeout)
            }
            guard let deadline, !service.table.isStopping else { return .none }
            switch socket.receive(into: &scratch, until: deadline) {
            case .bytes(let count): parser.append(scratch[..<count])
            case .ended, .lost: return .none
            case .timedOut: return parser.isInsideHead ? .refused(.requestTimeout) : .none
            }
        }
    }

    private mutating func answer(_ head: RequestHead, mayPersist: Bool) -> Next {
        let persists = mayPersist && head.wantsPersistence
        switch RequestVerdict(head, gate: service.gate) {
        case .refuse(let status, let closes):
            return send(Response(refusing: status, isHead: head.method == "HEAD"), persists: persists && !closes, to: head)
        case .preflight:
            return send(.preflight, persists: persists, to: head)
        case .serve(let name, let isHead):
            switch service.provider.resource(named: name) {
            case .notFound: return send(Response(refusing: .notFound, isHead: isHead), persists: persists, to: head)
            case .ready(let resource): return send(Response(for: head, resource: resource), persists: persists, to: head)
            case .pending(let pending): return serve(pending, named: name, head: head, persists: persists)
            }
        }
    }

    // MARK: Pending

    private mutating func serve(_ pending: any PendingResource, named name: String, head: RequestHead, persists: Bool) -> Next {
        let isHead = head.method == "HEAD"
        // A client that holds the bytes already need not wait for them to be made again.
        if let response = Response(for: head, pending: pending) { return send(response, persists: persists, to: head) }
        var schedule = PendingServe(
            earlyHeadAfter: head.minorVersion >= 1 ? service.limits.earlyHeaderDelay : nil, budget: service.limits.pendingBudget)
        guard service.table.beginWaiting(id, for: pending) else {
            pending.cancel()
            return .cut
        }
        defer { service.table.endWaiting(id) }

        var outcome = wait(for: pending, schedule: &schedule)
        if case .earlyHead = outcome {
            let early = Response.earlyHead(of: pending)
            let next = send(head: early, body: nil, persists: persists, to: head)
            if next == .cut {
                pending.cancel()
                return .cut
            }
            // HEAD: these are the headers; there is nothing else to wait for.
            if isHead { return next }
            outcome = wait(for: pending, schedule: &schedule)
        }

        switch outcome {
        case .ready(let resource):
            if schedule.waited >= service.limits.earlyHeaderDelay {
                service.onEvent?(.slowServe(name: name, waited: schedule.waited))
            }
            guard schedule.isEarlyHeadSent else { return send(Response(for: head, resource: resource), persists: persists, to: head) }
            return sendChunked(resource.body) ? (persists ? .persist : .finish) : .cut
        case .clientGone, .earlyHead:
            pending.cancel()
            return .cut
        case .failed, .timedOut:
            if case .failed = outcome {
                if service.table.isStopping { return .cut }
                service.onEvent?(.serveFailed(name: name))
            } else {
                service.onEvent?(.serveTimedOut(name: name))
            }
            // After the head only a cut tells the client that the answer is not whole: a terminated empty body would be a valid 200.
            if schedule.isEarlyHeadSent { return .cut }
            return send(Response(refusing: .serviceUnavailable, isHead: isHead), persists: persists && head.minorVersion >= 1, to: head)
        }
    }

    /// Waits in slices, looking at the client in between.
    private func wait(for pending: any PendingResource, schedule: inout PendingServe) -> Waited {
        while true {
            switch schedule.next() {
            case .giveUp: return .timedOut
            case .sendEarlyHead: return .earlyHead
            case .wait(let slice):
                if service.table.isStopping || socket.isPeerGone() { return .clientGone }
                let start = ContinuousClock.now
                let outcome = pending.wait(atMost: slice)
                let elapsed = ContinuousClock.now - start
                switch outcome {
                case .stillPending: schedule.charge(asked: slice, elapsed: elapsed)
                case .ready(let resource):
                    schedule.finish(elapsed: elapsed)
                    return .ready(resource)
                case .failed: return .failed
                }
            }
        }
    }

    // MARK: Sending

    private mutating func send(_ response: Response, persists: Bool, to request: RequestHead?) -> Next {
        placement.noteAnswer(byteCount: response.range.count)
        return send(head: response.head, body: (response.body, response.range), persists: persists, to: request)
    }

    private mutating func send(head: ResponseHead, body: (ResourceBody, Range<Int>)?, persists: Bool, to request: RequestHead?) -> Next {
        var head = head
        head.add("Date", currentDate())
        if !persists {
            head.add("Connection", "close")
        } else if request?.minorVersion == 0 {
            head.add("Connection", "keep-alive")
        }
        outgoing.removeAll(keepingCapacity: true)
        outgoing.reserveCapacity(512)
        head.serialize(into: &outgoing)
        var writer = bodyWriter()
        let isSent = body.map { writer.send(outgoing, $0.0, in: $0.1) } ?? writer.send(outgoing)
        return isSent ? (persists ? .persist : .finish) : .cut
    }

    /// One chunk and the end.
    ///
    /// RFC 9112 §7.1.
    private func sendChunked(_ body: ResourceBody) -> Bool {
        var writer = bodyWriter()
        guard body.byteCount > 0 else { return writer.send(Array("0\r\n\r\n".utf8)) }
        let size = Array("\(String(body.byteCount, radix: 16))\r\n".utf8)
        return writer.send(size, body, in: 0..<body.byteCount, trail: Array("\r\n0\r\n\r\n".utf8))
    }

    private func bodyWriter() -> BodyWriter {
        BodyWriter(
            socket: socket, activity: activity, budget: SendBudget(credit: service.limits.sendTimeout, leastRate: service.limits.leastSendRate))
    }

    private mutating func currentDate() -> String {
        let now = time(nil)
        if now != date.second { date = (now, HTTPDate.string(unixSeconds: Int64(now))) }
        return date.text
    }
}
