/// Options as a journal has them, of which an earlier version may have kept none.
extension RunOptions {
  /// Puts options together; what is nil is what it is by default.
  init(
    batchSize: Int?,
    batchUnsafeWrites: Int?,
    strategy: PackingStrategy?,
    concurrency: Int?,
    maxUnsafeWrites: Int?,
    requiresPermissions: Bool?,
    budget: RunBudget
  ) {
    let standard = RunOptions()
    self.init(
      limits: BatchLimits(
        width: batchSize ?? standard.limits.width,
        unsafeWrites: batchUnsafeWrites ?? standard.limits.unsafeWrites,
        strategy: strategy ?? standard.limits.strategy
      ),
      concurrency: concurrency ?? standard.concurrency,
      maxUnsafeWrites: maxUnsafeWrites ?? standard.maxUnsafeWrites,
      requiresPermissions: requiresPermissions ?? standard.requiresPermissions,
      budget: budget
    )
  }
}
