import GraphAPI

/// What a run knows for looking after lost writes: Graph's clock, what was there before writes were
/// sent, which nodes belong to which write, and which writes are looked for.
struct Confirmations: Sendable {
  /// Whether any write of the workflow can be looked for.
  let isUsed: Bool
  /// Graph's clock, as far as its answers tell.
  private(set) var clock = ServerClock()
  /// What confirmation checks showed before writes were sent.
  var baselines = BaselineCache()
  /// The ids that belong to writes of this run.
  private(set) var claims = ClaimedNodes()
  /// Writes that may have happened and are looked for.
  private(set) var doubtful: Set<Int> = []
  /// The writes that the looks of this turn are for, as far as they were not made yet.
  private(set) var turn: ArraySlice<Int> = []

  init(of workflow: Workflow) {
    isUsed = workflow.requests.contains { $0.confirmation != nil }
  }

  /// Takes in the `Date` of an answer; see ``ServerClock/note(_:startedAt:endedAt:)``.
  mutating func note(_ date: HTTPDate, startedAt: Duration, endedAt: Duration) {
    clock.note(date, startedAt: startedAt, endedAt: endedAt)
  }

  /// Notes that a write is sent that may have to be looked for.
  mutating func open(_ owner: ClaimedNodes.Owner, since intent: Timestamp) {
    claims.open(owner, since: intent)
  }

  /// Notes that a write is over, and what it has made.
  mutating func close(_ owner: ClaimedNodes.Owner, made ids: [String], at now: Timestamp) {
    guard isUsed else { return }
    claims.close(owner)
    claims.claim(ids, at: now)
  }

  /// Takes ids for a write that is not over.
  mutating func claim(_ ids: [String], at now: Timestamp) {
    claims.claim(ids, at: now)
  }

  /// Takes all that is known for known from a time on; see ``ClaimedNodes/restart(at:)``.
  mutating func restart(at now: Timestamp) {
    claims.restart(at: now)
  }

  /// Has a write looked for.
  mutating func look(for instance: Int) {
    doubtful.insert(instance)
  }

  /// Looks for a write no longer.
  mutating func stopChecking(for instance: Int) {
    doubtful.remove(instance)
  }

  /// Begins a turn of looks.
  mutating func beginTurn(_ instances: [Int]) {
    turn = instances[...]
  }

  /// Notes that the first look of the turn is made, or cannot be.
  mutating func endFirstCheck() {
    turn.removeFirst()
  }

  /// What is known from before a write that is sent now.
  ///
  /// - Parameters:
  ///   - earlier: what was known when it was sent the last time.
  ///   - check: what its confirmation check asks for, if that can be told.
  ///   - now: the time since the run's start.
  /// - Returns: what a look for the write compares with.
  mutating func evidence(
    after earlier: WriteEvidence?,
    check: BaselineCache.Check?,
    at now: Duration
  ) -> WriteEvidence {
    var evidence = WriteEvidence(sentAt: clock.time(at: now), clockSteps: clock.steps)
    evidence.baseline =
      earlier?.baseline(ifNotSetSince: clock)
      ?? check.flatMap { baselines.baseline(of: $0, by: clock) }
    return evidence
  }
}
