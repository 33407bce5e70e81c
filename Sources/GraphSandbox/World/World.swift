import JSONPath

/// The state of a sandbox: a value that answers calls, which change it.
///
/// It uses no clock and no random numbers: the same calls give the same bytes.
struct World: Sendable {
  var objects = ObjectTable()
  var access: AccessTable
  var logins = Logins()
  var meter = UsageMeter()
  var faults = FaultState()
  /// How the sandbox answers where Graph has several behaviors.
  var behaviors = WorldDescription.Behaviors()
  /// The base URL of paging links.
  var origin = "https://graph.facebook.com"
  /// Seconds since 1970.
  var now: Int
  var shared = SharedState()
  var webhooks = Webhooks()
  /// How many calls were answered.
  private(set) var callCount = 0
  private var traceCount: UInt64 = 0

  /// What the operations of a batch share.
  struct SharedState: Sendable {
    /// The campaigns whose ad sets it has created or changed.
    var campaigns: Set<String> = []
    /// The session of its token; nil if the access table may have changed since.
    var session: Session?
    /// The base URL that the client has used.
    var origin: String?
    /// The handshakes of the call with their replies.
    var handshakes: [Handshake] = []
    /// An empty body with the memory that the last answer has left for the next one.
    var memory: [UInt8] = []
  }

  init(seed: UInt64, now: Int) {
    access = AccessTable(seed: seed)
    self.now = now
  }

  /// Answers a call, and returns its log entry.
  ///
  /// `time` is in seconds since 1970; without it each call takes one second.
  mutating func answer(_ call: GraphCall, at time: Int? = nil) -> (HTTPAnswer, SandboxCall) {
    now = time ?? now + 1
    callCount += 1
    publishScheduled()
    let permissions = access.permissions
    meter.startCall()
    shared.campaigns.removeAll()
    (shared.origin, shared.handshakes) = (call.origin, call.handshakes)
    var log = SandboxCall(number: callCount, call, at: now)
    let answer =
      if !call.isControl, let fault = applyFaults(before: call) {
        self.answer(call, with: fault, &log)
      } else {
        execute(call, &log)
      }
    log.status = answer.status
    notifyOfDecisions(since: permissions)
    return (answer, log)
  }

  /// Publishes the scheduled posts whose time has come.
  mutating func publishScheduled() {
    let published = objects.publishScheduled(at: now)
    guard !published.isEmpty, webhooks.isWatched(objects, access) else { return }
    let report = ChangeReport(objects: objects, actor: "", now: now, origin: origin)
    let posts = published.compactMap { objects[$0] }
    webhooks.notify(posts.flatMap(report.additions), objects, access)
  }

  /// Notifies those who watch permissions of what users have decided, if their permissions were these before.
  mutating func notifyOfDecisions(since permissions: AccessTable.Permissions) {
    webhooks.notify(ChangeReport.decisions(permissions, access), objects, access)
  }

  /// Executes a call, and logs its operations.
  mutating func execute(_ call: GraphCall, _ log: inout SandboxCall) -> HTTPAnswer {
    switch call.kind {
    case .single(let request):
      var operation = SandboxCall.Operation(request)
      let answer = execute(request, from: .none, named: nil, at: nil, &operation)
      log.operations = [operation]
      return HTTPAnswer(
        answer ?? failure(.aborted, version: request.version), traceID: nextTraceID())
    case .batch(let batch): return answer(batch, of: call, &log)
    case .refused(let fault): return refusal(fault, of: call)
    }
  }

  /// Answers a batch: every item, in order (docs/internals/graph-api.md, decision 40).
  private mutating func answer(
    _ batch: BatchCall, of call: GraphCall, _ log: inout SandboxCall
  ) -> HTTPAnswer {
    let main: Session?
    do throws(GraphFault) {
      main =
        if let token = call.token {
          try access.session(for: token, proof: call.proof, at: now)
        } else {
          nil
        }
      guard main != nil || call.hasAppID && batch.items.allSatisfy(\.hasToken) else {
        throw .tokenRequired
      }
    } catch {
      return refusal(error, of: call)
    }
    shared.session = main
    let shuffle = behaviors.shuffle.map { $0 &+ UInt64(clamping: now) }
    var run = BatchRun(batch, call, main, isShuffled: shuffle != nil)
    for index in batch.order(shuffledBy: shuffle) { run.execute(index, in: &self) }
    shared.session = nil
    log.operations = run.operations
    var answer = Answer(body: run.finish())
    answer.version = versions.answering(call.version) ?? versions.standard
    answer.usage = meter.callHeaders(at: now)
    answer.note = SandboxNote(ofBatch: log.operations)
    return HTTPAnswer(answer, traceID: nextTraceID())
  }

  /// The answer to a call that is refused as a whole.
  mutating func refusal(_ fault: GraphFault, of call: GraphCall) -> HTTPAnswer {
    let answer = failure(fault, version: call.version, usage: meter.callHeaders(at: now))
    return HTTPAnswer(answer, traceID: nextTraceID())
  }

  /// Continues the count of calls of a world that this one replaces, at its address.
  mutating func continueCalls(of last: World) {
    (callCount, origin) = (last.callCount, last.origin)
  }

  /// The next `fbtrace_id`.
  mutating func nextTraceID() -> String {
    traceCount &+= 1
    return SeededText.traceID(seed: access.generator.seed, ordinal: traceCount)
  }

  var versions: VersionTable { VersionTable(standard: behaviors.defaultVersion) }
}

extension BatchItem {
  fileprivate var hasToken: Bool { tokenField != nil || parameters.contains("access_token") }
}
