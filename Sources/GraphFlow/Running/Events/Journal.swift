/// The durable sequence of a run's events.
///
/// One of the two protocols of the house, because here the world begins: the real one is SQLite,
/// the tests' one is an array that can be told to fail.
package protocol Journal: Sendable {
  /// Appends events, all or none; where there is no room for all, those before the first intent.
  ///
  /// - Parameters:
  ///   - events: what happened, in order.
  ///   - durably: whether the events must survive a power cut before this returns: the intent and
  ///     the outcome of a write must.
  /// - Throws: what the store reports, such as a full disk; the run stops sending.
  func append(_ events: [RunEvent], durably: Bool) async throws
}
