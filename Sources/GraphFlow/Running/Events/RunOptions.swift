/// The options of the person who starts a run; the defaults are those of the command.
package struct RunOptions: Hashable, Sendable {
  /// The limits of a batch, and what the packing minimises.
  package var limits: BatchLimits
  /// The largest number of HTTP calls under way at a time, at least 1; nil if it adapts to the
  /// answers.
  package var concurrency: Int?
  /// The largest number of writes under way that cannot be repeated if their answer is lost.
  package var maxUnsafeWrites: Int
  /// Whether a missing permission stops the whole run.
  package var requiresPermissions: Bool
  package var budget: RunBudget
  /// How long after its start a session begins no call any more; nil for what the workflow says.
  package var deadline: Duration?
  /// How many writes a run may send; nil for what the workflow says.
  package var maxWrites: Int?
  package var writes: WriteMode
  /// Whether a token may be obtained again after a recoverable error.
  package var recovers: Bool
  /// The part of a job that the run performs; nil for a run of everything.
  package var shard: Shard?
  /// What is run of the workflow.
  package var extent: Extent
  /// The windows of days that are read.
  package var windows = WindowSelection()

  package init(
    limits: BatchLimits = BatchLimits(), concurrency: Int? = nil,
    maxUnsafeWrites: Int = 50, requiresPermissions: Bool = false, budget: RunBudget = RunBudget(),
    deadline: Duration? = nil, maxWrites: Int? = nil, writes: WriteMode = .sent,
    recovers: Bool = true, shard: Shard? = nil, only: [String] = [], from: EarlierOutcomes? = nil
  ) {
    self.limits = limits
    self.concurrency = concurrency.map { max($0, 1) }
    self.maxUnsafeWrites = max(maxUnsafeWrites, 1)
    self.requiresPermissions = requiresPermissions
    self.budget = budget
    self.deadline = deadline
    self.maxWrites = maxWrites
    self.writes = writes
    self.recovers = recovers
    self.shard = shard
    extent = from.map(Extent.from) ?? (only.isEmpty ? .whole : .only(only))
  }

  /// What is run of a workflow.
  package enum Extent: Hashable, Sendable {
    case whole
    /// These requests and groups, and what they need.
    case only([String])
    /// What an earlier run does not provide.
    case from(EarlierOutcomes)
  }

  /// The requests and groups to which the workflow is reduced; empty for all of them.
  package var only: [String] { if case .only(let names) = extent { names } else { [] } }

  /// The run whose outcomes it takes over, and where it begins; nil for a run of its own.
  package var from: EarlierOutcomes? {
    if case .from(let earlier) = extent { earlier } else { nil }
  }

  /// The requests and groups that are run.
  package var part: WorkflowPart {
    switch extent {
    case .whole: .whole
    case .only(let names): .only(names)
    case .from(let earlier): .from(earlier.names)
    }
  }

  /// The writes that a person has approved; nil if none has to be.
  var approval: WriteApproval? {
    if case .approved(let approval) = writes { approval } else { nil }
  }

  /// How many runs of the job send at the same time as this one, including it.
  var activeShards: Int {
    if let shard, case .items = shard.part { return shard.count }
    return 1
  }

  /// The run's part of a number: the shards of a job have it together.
  func share(of number: Int) -> Int {
    guard let shard, case .items(let index) = shard.part else { return number }
    return number / shard.count + (index <= number % shard.count ? 1 : 0)
  }

  /// The run's part of the budget.
  var ownBudget: RunBudget {
    var own = budget
    // With less than one operation a shard would never end.
    own.calls = budget.calls.map { max(1, share(of: $0)) }
    return own
  }
}

/// What a run takes over from an earlier one instead of sending it again.
package struct EarlierOutcomes: Hashable, Sendable {
  /// The requests and groups that are sent again, with all that depends on them.
  package var names: [String]
  /// The earlier run.
  package var run: RunID

  package init(names: [String], run: RunID) { (self.names, self.run) = (names, run) }
}
