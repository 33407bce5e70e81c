/// What can be done about an error, in the terms of Meta's SDKs.
public enum ErrorCategory: String, Hashable, Sendable, CaseIterable {
  /// A temporary error: wait, and send the request again.
  case transient
  /// An error that another step fixes: log in again, or grant a permission.
  case recoverable
  /// Sending the same request again gives the same error.
  case other
}
