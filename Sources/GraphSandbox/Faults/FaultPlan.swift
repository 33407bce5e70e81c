/// The faults of a sandbox, as rules; the first rule that applies decides.
package struct FaultPlan: Hashable, Sendable {
  /// In order; every rule counts its matches, even if an earlier one decides.
  package var rules: [FaultRule]
  /// The seed for random faults; nil: the sandbox's seed.
  package var seed: UInt64?

  package init(_ rules: [FaultRule] = [], seed: UInt64? = nil) {
    self.rules = rules
    self.seed = seed
  }
}

/// A fault, and when it happens.
///
/// Faults of operations, calls and the world have different types: an operation's answer can be
/// missing while its call is answered, but a connection always belongs to a call.
package struct FaultRule: Hashable, Sendable {
  /// What the rule changes.
  package enum Effect: Hashable, Sendable {
    case operation(OperationFault)
    case call(CallFault)
    /// The world, before a call with a matching operation.
    case world(WorldFault)
  }

  package var condition: FaultCondition
  package var effect: Effect

  package init(_ effect: Effect, when condition: FaultCondition = FaultCondition()) {
    self.condition = condition
    self.effect = effect
  }
}

/// Whether an operation takes effect although its answer is lost or replaced.
package enum FaultExecution: Hashable, Sendable {
  /// It takes effect: sending it again repeats the effect.
  case applied
  /// It has no effect.
  case notApplied
}

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
  /// The report run that it starts has this end: it fails with the error, or without one is skipped.
  case report(InjectedError?)
}

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

/// A change of the world before a call is executed.
package enum WorldFault: Hashable, Sendable {
  /// The token of the matching operation is in this state from now on.
  case token(TokenState)
  /// The user of that token declines a permission.
  case declined(permission: String)
}
