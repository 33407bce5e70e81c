/// What can go wrong with one operation, in a batch or alone.
package enum OperationFault: Hashable, Sendable {
  /// It ends in an error, whether it was executed or not.
  case error(InjectedError, FaultExecution)
  /// It is refused, and a usage header announces when calls are answered again.
  case throttled(code: Int, regain: Duration)
  /// It does not end in time: an item that is `null` or an error 960; alone, a status 400 with
  /// error 960 (docs/internals/graph-api.md, Null and 960).
  case unfinished(Sandbox.AbortedForm, FaultExecution)
  /// It is executed, but the next reads do not see it: so many of them see the world before it.
  case lag(reads: Int)
}
