/// A fault of one operation, in a batch or alone.
package enum OperationFault: Hashable, Sendable {
  /// Its answer is an error, whether it was executed or not.
  case error(InjectedError, FaultExecution)
  /// It is refused, and a usage header has the time until access is regained.
  case throttled(code: Int, regain: Duration)
  /// It times out: in a batch the item is `null` or error 960; alone, the answer is error 960 with
  /// status 400 (docs/internals/graph-api.md, Null and 960).
  case unfinished(Sandbox.AbortedForm, FaultExecution)
  /// It is executed, but this many of the next reads see the world before it.
  case lag(reads: Int)
}
