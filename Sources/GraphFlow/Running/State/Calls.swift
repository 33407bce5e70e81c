import GraphAPI

/// The operations of a call with their placeholders filled, each with its token and what it is about.
///
/// They are three lists, so that the call's content shares the list of operations.
struct BoundOperations: Sendable {
  private(set) var all: [BatchOperation] = []
  private(set) var tokens: [AccessToken] = []
  private(set) var subjects: [Lane.Subject] = []

  mutating func append(
    _ operation: BatchOperation, with token: AccessToken, about subject: Lane.Subject
  ) {
    all.append(operation)
    tokens.append(token)
    subjects.append(subject)
  }

  mutating func reserve(_ count: Int) {
    all.reserveCapacity(count)
    tokens.reserveCapacity(count)
    subjects.reserveCapacity(count)
  }

  mutating func change(at index: Int, _ change: (inout BatchOperation) -> Void) {
    change(&all[index])
  }
}

/// The purpose of a call.
enum CallPurpose: Sendable {
  /// Sends requests of the workflow.
  case operations([PackedBatch.Member])
  /// Reads the baselines of confirmation checks, before writes are sent for the first time.
  case baselines([BaselineCache.Reading])
  /// Checks whether writes in doubt took effect.
  case checks([Int])
  /// Reads the permissions of tokens.
  case permissions([Permissions.Subject])
  /// Tests whether Graph answers again after an outage.
  case probe

  /// The kind of the call in events.
  fileprivate func kind(of content: Call.Content) -> CallKind {
    switch (self, content) {
    case (.operations, .single): .single
    case (.operations, .batch): .batch
    case (.checks, _), (.baselines, _): .confirm
    case (.permissions, _), (.probe, _): .auth
    }
  }
}

/// A call before it is started.
struct CallDraft: Sendable {
  let purpose: CallPurpose
  /// The operations; the first token is the call's own.
  var operations: BoundOperations
  /// Whether the only operation is sent without a batch.
  var isAlone = false
  /// The attempts that the operations are.
  var attempts: [AttemptID] = []
  /// The number of each operation's baseline; empty if no operation has one.
  var baselines: [Int] = []
  /// The number of unsafe writes among the operations.
  var unsafeWrites = 0
  /// One more than the highest round of the calls whose answers it needs; nil for a call that comes
  /// before the next round.
  var round: Int?
  /// Whether it carries only a part of a call that failed as a whole.
  var isProbe = false
  /// Whether its operations are sent again.
  var isRetry = true
  /// Whether it carries only requests that clean up, which the run's budget does not count.
  var isCleanUp = false
  /// How long to wait for the answer.
  var timeout = Duration.seconds(60)

  init(_ operations: BoundOperations = BoundOperations(), for purpose: CallPurpose) {
    self.operations = operations
    self.purpose = purpose
  }

  /// Where the answer is of another version than the one asked for, each pair once.
  ///
  /// An operation with a version of its own is compared by its own header.
  func otherVersions(
    in answer: BatchAnswer, _ served: GraphVersion?, insteadOf asked: GraphVersion
  ) -> [VersionAnswer] {
    guard let served else { return [] }
    var found: [VersionAnswer] = []
    func compare(_ asked: GraphVersion, _ served: GraphVersion) {
      guard asked != served else { return }
      let pair = VersionAnswer(asked: asked.description, served: served.description)
      if !found.contains(pair) { found.append(pair) }
    }
    if !isAlone { compare(asked, served) }
    for index in operations.all.indices {
      let own = operations.all[index].version ?? asked
      if isAlone {
        compare(own, served)
      } else if own != asked, case .items(let items) = answer, items.indices.contains(index),
        case .response(let response) = items[index],
        let served = response.headers[VersionAnswer.header].flatMap({ GraphVersion($0) })
      {
        compare(own, served)
      }
    }
    return found
  }
}

/// A call that waits for its result; each of its operations refers to it.
final class CallUnderWay: Sendable {
  let number: Int
  let draft: CallDraft
  let startedAt: Duration

  init(number: Int, draft: CallDraft, startedAt: Duration) {
    (self.number, self.draft, self.startedAt) = (number, draft, startedAt)
  }

  /// The token of an operation; the call's own for an index out of range.
  func token(ofItem index: Int) -> AccessToken? {
    let tokens = draft.operations.tokens
    return tokens.indices.contains(index) ? tokens[index] : tokens.first
  }
}

/// The calls under way, and the counts of those that were sent.
struct Calls: Sendable {
  private let facts: RunFacts
  private var underWay: [Int: CallUnderWay] = [:]
  private var limit: ConcurrencyLimit
  private(set) var tally: RunTally
  /// The last round of the processes that made earlier calls of the run.
  private(set) var earlierRounds = 0
  /// Whether a call that was under way when a signal came was abandoned.
  private(set) var hasGivenUp = false

  init(_ facts: RunFacts) {
    self.facts = facts
    limit = ConcurrencyLimit(fixed: facts.options.concurrency)
    tally = RunTally(requestCount: facts.workflow.requests.count)
  }

  mutating func resume(from tally: RunTally) {
    self.tally = tally
    earlierRounds = tally.round
  }

  var count: Int { underWay.count }
  var isEmpty: Bool { underWay.isEmpty }
  /// The number that the next call gets.
  var nextNumber: Int { tally.calls + 1 }

  /// Whether one more call may be under way.
  var hasRoom: Bool { underWay.count < limit.value }

  /// Whether a call with this number of unsafe writes may be sent now.
  func hasRoom(forUnsafe count: Int) -> Bool {
    let unsafeWrites = underWay.values.reduce(0) { $0 + $1.draft.unsafeWrites }
    return underWay.isEmpty || unsafeWrites + count <= facts.options.maxUnsafeWrites
  }

  /// The instances in calls that are under way.
  var instances: [Int] {
    underWay.values.flatMap { call -> [Int] in
      guard case .operations(let members) = call.draft.purpose else { return [] }
      return members.map(\.request)
    }
  }

  /// Whether a part of a call that failed as a whole is under way.
  var hasProbe: Bool { underWay.values.contains(where: \.draft.isProbe) }

  /// Whether baselines are being read.
  var readBaselines: Bool {
    underWay.values.contains { if case .baselines = $0.draft.purpose { true } else { false } }
  }

  /// Counts the first attempt at an instance of a request.
  mutating func countFirst(_ request: Int) { tally.sentInstances[request] += 1 }

  /// How many writes may still be sent for the first time, besides those that clean up; nil for any
  /// number.
  var writesLeft: Int? {
    facts.maxWrites.map { limit in
      limit
        - facts.workflow.requests.indices.reduce(0) { count, index in
          let request = facts.workflow.requests[index]
          return request.isWrite && !request.isCleanUp ? count + tally.sentInstances[index] : count
        }
    }
  }

  /// Starts a call: assigns its number, and records the intent.
  ///
  /// - Returns: The call; nil if there is no operation.
  mutating func start(
    _ draft: CallDraft, _ log: inout EventLog, _ pacer: inout Pacer, _ clock: ServerClock,
    at now: Duration
  ) -> Call? {
    guard let content = content(of: draft.operations, isAlone: draft.isAlone) else { return nil }
    var last: AccessToken?
    for token in draft.operations.tokens where token != last {
      log.recordSecret(token)
      last = token
    }
    tally.calls += 1
    let (number, time) = (tally.calls, facts.wallClock(at: now))
    if let round = draft.round { tally.round = max(tally.round, round) }
    let isOutageProbe = if case .probe = draft.purpose { true } else { false }
    pacer.startCall(
      number, content, subjects: draft.operations.subjects, isProbe: isOutageProbe,
      isRetry: draft.isRetry,
      isBudgeted: !draft.isCleanUp, at: time)
    underWay[number] = CallUnderWay(number: number, draft: draft, startedAt: now)
    limit.recordCall(number, underWay: underWay.count)
    log.append(
      .callStarted(
        CallStart(
          number: number, round: draft.round ?? tally.round + 1,
          kind: draft.purpose.kind(of: content), startedAt: time, operations: draft.attempts,
          baselines: draft.baselines,
          serverTime: draft.baselines.isEmpty ? nil : clock.time(at: now))))
    return Call(number: number, content: content, timeout: draft.timeout)
  }

  private func content(of operations: BoundOperations, isAlone: Bool) -> Call.Content? {
    guard let token = operations.tokens.first else { return nil }
    let appSecret = facts.context.appSecret
    if isAlone {
      return .single(
        SingleRequest(
          operation: operations.all[0], accessToken: token, version: facts.version,
          appSecret: appSecret))
    }
    var sent = operations.all
    for (index, own) in operations.tokens.enumerated() where own != token {
      sent[index].accessToken = own
    }
    return BatchRequest(
      operations: sent, accessToken: token, version: facts.version, appSecret: appSecret
    ).map(Call.Content.batch)
  }

  /// Removes and returns a call whose result has arrived.
  mutating func takeAnswered(_ number: Int) -> CallUnderWay? {
    underWay.removeValue(forKey: number)
  }

  /// Records the end of a call.
  mutating func recordEnd(
    of call: CallUnderWay, _ answered: AnsweredCall, isCancelled: Bool, _ log: inout EventLog,
    at now: Duration
  ) {
    var end = CallEnd(
      number: call.number, durationMilliseconds: (now - call.startedAt).milliseconds,
      httpStatus: nil, bytesSent: 0, bytesReceived: 0, usage: nil, failure: nil)
    switch answered.result {
    case .failed(let failure): end.failure = failure.message
    case .answered(let answer, let facts):
      end.otherVersions = call.draft.otherVersions(
        in: answer, facts.version, insteadOf: self.facts.version)
      end.httpStatus = facts.status
      end.bytesSent = facts.bytesSent
      end.bytesReceived = facts.bytesReceived
      end.usage = answered.usage.isEmpty ? nil : answered.usage.json
      switch answer {
      case .items(let items): end.failure = CallResult.unusable(items)
      case .refused(let error, _): end.failure = error.message
      case .unreadable(_, let problem): end.failure = problem
      }
    }
    log.append(.callEnded(end))
    if answered.reachedServer { tally.wasReached = true }
    if isCancelled, answered.isAbandoned { hasGivenUp = true }
    adaptLimit(to: answered, call, &log, at: now)
  }

  /// Adapts the limit to the answer of a call with requests of the workflow.
  private mutating func adaptLimit(
    to answered: AnsweredCall, _ call: CallUnderWay, _ log: inout EventLog, at now: Duration
  ) {
    guard case .operations = call.draft.purpose, !call.draft.isProbe else { return }
    let answer: ConcurrencyLimit.Answer
    switch (answered.isThrottled, answered.isTimeout, answered.result) {
    case (true, _, _): answer = .throttled
    case (_, true, _): answer = .timedOut
    case (_, _, .answered): answer = .served(after: now - call.startedAt)
    default: return
    }
    guard let cause = limit.recordAnswer(answer, toCall: call.number, at: now)
    else { return }
    let time = facts.wallClock(at: now)
    log.append(
      .concurrencyChanged(ConcurrencyChange(at: time, calls: limit.value, cause: cause)))
  }
}

/// What a run has sent.
struct RunTally: Hashable, Sendable {
  /// The number of the last round.
  var round = 0
  /// The number of the last HTTP call.
  var calls = 0
  /// For each request the number of its instances that were sent at least once.
  var sentInstances: [Int]
  /// Whether Graph ever answered anything.
  var wasReached = false

  init(requestCount: Int) { sentInstances = Array(repeating: 0, count: requestCount) }
}

/// The time that a run spends waiting without a call under way.
struct WaitTime: Hashable, Sendable {
  private(set) var total = Duration.zero
  private var since: Duration?

  mutating func begin(at now: Duration) { since = now }

  /// Ends and counts the current wait, if there is one.
  mutating func end(at now: Duration) {
    if let since { total += now - since }
    since = nil
  }
}
