import GraphAPI

/// What a run needs to confirm writes whose outcome is unknown.
///
/// That is Graph's clock, what existed before writes were sent, which node belongs to which write,
/// and which writes are searched for.
struct Confirmations: Sendable {
  /// Whether any write of the workflow can be confirmed.
  let isUsed: Bool
  /// Graph's clock, estimated from its answers.
  var clock = ServerClock()
  /// What confirmation checks showed before writes were sent.
  var baselines = BaselineCache()
  /// The ids that belong to writes of this run.
  var claims = ClaimedNodes()
  /// The writes in doubt that are searched for.
  var doubtful: Set<Int> = []
  /// The writes whose checks of this round were not started yet.
  var pendingChecks: ArraySlice<Int> = []

  init(of workflow: Workflow) { isUsed = workflow.requests.contains { $0.confirmation != nil } }

  /// Records that a write is finished, and what it created.
  mutating func close(_ owner: ClaimedNodes.Owner, made ids: [String], at now: Timestamp) {
    guard isUsed else { return }
    claims.removeIntent(of: owner)
    claims.claim(ids, at: now)
  }

  /// The evidence for a write that is sent now.
  ///
  /// - Parameters:
  ///   - earlier: the evidence of its previous attempt.
  ///   - check: what its confirmation check asks for, if known.
  ///   - now: the time since the run's start.
  /// - Returns: what later checks for the write compare with.
  mutating func evidence(
    after earlier: WriteEvidence?, check: BaselineCache.Check?, at now: Duration
  ) -> WriteEvidence {
    var evidence = WriteEvidence(sentAt: clock.time(at: now), clockSteps: clock.steps)
    evidence.baseline =
      earlier?.baseline(ifNotSetSince: clock)
      ?? check.flatMap { baselines.baseline(of: $0, by: clock) }
    return evidence
  }
}
