/// The durable sequence of a run's events.
///
/// One of the few protocols of the code base, because it is a boundary to the system: the command
/// uses SQLite, and tests use an array that can be made to fail.
package protocol Journal: Sendable {
  /// Appends all events, or none; on a full disk, only the events before the first intent.
  ///
  /// If `durably`, the events must survive a power failure once this returns, as the intent and the
  /// outcome of a write must.
  ///
  /// - Throws: The error of the store, such as a full disk; the run then stops sending.
  func append(_ events: [RunEvent], durably: Bool) async throws
}
