/// Shares what is known of Graph's limits with other processes and later runs.
package protocol QuotaStore: Sendable {
  /// Stores changes and returns what is known of all limits.
  ///
  /// Returns nil after a failure; a later call then repeats the same changes. The quota is only
  /// advice: a run works without it.
  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot?
}
