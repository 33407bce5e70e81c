/// Where processes tell each other, and later runs, what they know of Graph's limits.
package protocol QuotaStore: Sendable {
  /// Hands in what was found out, and gets what is known by now; nil if that cannot be had now, and
  /// is tried again with the same changes and later ones.
  ///
  /// What is known is only advice: nothing fails for want of it.
  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot?
}
