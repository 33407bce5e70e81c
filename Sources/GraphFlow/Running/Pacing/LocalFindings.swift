/// What this process found out about a limit, as opposed to what other processes share.
struct LocalFindings: Sendable {
  /// The operations that were counted since the last exchange.
  private(set) var unsharedHistory = OperationHistory()
  /// Whether anything was found out since the last exchange.
  private(set) var areUnshared = false
  /// Whether this process has found out anything at all.
  private(set) var exist = false

  /// Records counted operations.
  mutating func addOperations(_ count: Int, at now: Timestamp) {
    unsharedHistory.add(count, at: now)
    markUnshared()
  }

  /// Records that something was found out that other processes do not know.
  mutating func markUnshared() { (areUnshared, exist) = (true, true) }

  /// Records that other processes know everything.
  mutating func markShared() {
    unsharedHistory = OperationHistory()
    areUnshared = false
  }
}
