extension Report.Summary {
  mutating func add(_ other: Report.Summary) {
    requests += other.requests
    succeeded += other.succeeded
    failed += other.failed
    skipped += other.skipped
    inDoubt += other.inDoubt
    cancelled += other.cancelled
    attempts += other.attempts
    calls += other.calls
    waitedMilliseconds = (waitedMilliseconds ?? 0) + max(0, other.waitedMilliseconds ?? 0)
  }

  /// The statuses with their numbers, the most urgent first.
  var statuses: [(name: String, count: Int)] {
    [
      ("in doubt", inDoubt), ("failed", failed), ("cancelled", cancelled), ("skipped", skipped),
      ("unfinished", unfinished), ("succeeded", succeeded),
    ]
  }
}
