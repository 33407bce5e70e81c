/// A fault of a whole HTTP call.
package enum CallFault: Hashable, Sendable {
  /// An error object in place of the answer.
  case error(InjectedError, FaultExecution)
  /// An error object in place of the answer, and a header with the time until access is regained.
  case throttled(code: Int, regain: Duration)
  /// An HTML page with this status, like a proxy's.
  case page(status: Int, FaultExecution)
  /// The connection is closed without a byte.
  case dropped(FaultExecution)
  /// The connection is closed after this many bytes of the body.
  case cut(after: Int)
  /// The batch times out: the items from this index on are unfinished.
  case partial(from: Int, Sandbox.AbortedForm, FaultExecution)
  /// The body ends after this many bytes, and `Content-Length` agrees.
  case truncated(to: Int)
  /// `Content-Length` is larger, or smaller, than the body by this many bytes.
  case wrongLength(by: Int)
  /// The answer is sent after this time.
  case delayed(Duration)
  /// The body is sent in small pieces, with a pause before each.
  case dripping(bytes: Int, pause: Duration)
  /// Spaces after the JSON extend the body to this length.
  case padded(to: Int)
}
