/// What can go wrong with a whole HTTP call.
package enum CallFault: Hashable, Sendable {
  /// An error object in place of the answer.
  case error(InjectedError, FaultExecution)
  /// An error object in place of the answer, and a header that announces when calls are answered.
  case throttled(code: Int, regain: Duration)
  /// A page of HTML with this status, as proxies send it.
  case page(status: Int, FaultExecution)
  /// The connection is closed without a byte.
  case dropped(FaultExecution)
  /// The connection is closed after so many bytes of the body.
  case cut(after: Int)
  /// The batch does not end in time: the items from one on, counted from 0, are unfinished.
  case partial(from: Int, Sandbox.AbortedForm, FaultExecution)
  /// The body ends after so many bytes, and `Content-Length` agrees.
  case truncated(to: Int)
  /// `Content-Length` says so many bytes more, or fewer, than there are.
  case wrongLength(by: Int)
  /// The answer comes later.
  case delayed(Duration)
  /// The body comes in small pieces, with a pause before each.
  case dripping(bytes: Int, pause: Duration)
  /// The body is so long: blanks follow the JSON.
  case padded(to: Int)
}
