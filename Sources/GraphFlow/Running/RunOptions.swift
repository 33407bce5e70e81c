/// What the person who starts a run may choose.
package struct RunOptions: Hashable, Sendable {
  /// How much a batch may hold, and what is minimised.
  package var limits: BatchLimits
  /// How many HTTP calls may be under way together, at least 1.
  package var concurrency: Int
  /// How many writes may be under way that cannot be repeated if their answer is lost.
  package var maxUnsafeWrites: Int
  /// Whether a permission that is missing stops the whole run.
  package var requiresPermissions: Bool
  /// How much of Graph's limits may be used.
  package var budget: RunBudget

  /// The defaults: batches of 50, 4 calls at a time, 50 unsafe writes, missing permissions skip.
  package init(
    limits: BatchLimits = BatchLimits(),
    concurrency: Int = BatchLimits.standardConcurrency,
    maxUnsafeWrites: Int = 50,
    requiresPermissions: Bool = false,
    budget: RunBudget = RunBudget()
  ) {
    self.limits = limits
    self.concurrency = max(concurrency, 1)
    self.maxUnsafeWrites = max(maxUnsafeWrites, 1)
    self.requiresPermissions = requiresPermissions
    self.budget = budget
  }
}
