/// What can be done about an error, in the Graph SDKs' terms.
public enum ErrorCategory: String, Hashable, Sendable, CaseIterable {
  /// It passes by itself: wait, and send again.
  case transient

  /// It goes away once something else is done: log in again, grant a permission.
  case recoverable

  /// Sending the same again gives the same error.
  case other
}
