extension ErrorCategory {
  /// What it means, in half a sentence.
  package var meaning: String {
    switch self {
    case .transient: "it passes by itself"
    case .recoverable: "it goes away once something else is done: a login, a permission"
    case .other: "sending the same again gives the same error"
    }
  }
}

extension FailureReason {
  /// What it means, in half a sentence.
  package var meaning: String {
    switch self {
    case .throttled: "too many calls in too little time"
    case .server: "a fault on Graph's side"
    case .network: "the way to Graph, or the answer on its way back, was lost"
    case .timeout: "no answer in time, or the batch was not finished in time"
    case .token: "the access token is missing, expired, revoked or otherwise invalid"
    case .permission: "the token may not do this"
    case .parameter: "something in the request is wrong"
    case .notFound: "the object does not exist, or this token cannot see it"
    case .duplicate: "Graph takes it for a repetition of what was posted before"
    case .policy: "Meta blocked the action by its rules"
    case .dependency: "what the request depends on did not succeed"
    case .expectation: "an expectation of the workflow does not hold"
    case .unresolvedReference: "a reference selected nothing"
    case .queryLimit: "a query or pattern took too many steps"
    case .cancelled: "the run was told to end"
    case .unknown: "nobody knows; Graph's message may say it"
    }
  }
}

extension ErrorTable.Row.Proof {
  /// Whether a write that must not happen twice may be sent again, in a sentence.
  package var safety: String {
    switch self {
    case .always: "also: Graph turns throttled calls away before it does anything"
    case .refusal:
      "if the answer is an error object with a status of 400 to 499 and does not say is_transient, "
        + "for then Graph has refused it; else it is in doubt"
    case .never:
      "no: Graph may have done it before it failed, so it is in doubt; `confirm` finds out"
    }
  }
}

extension ErrorTable.Row {
  /// What it rests on that an error of a kind proves that nothing happened.
  ///
  /// Graph promises it nowhere. Each premise is as good as its evidence, which
  /// docs/reference/errors.md names.
  package enum Premise: String, Hashable, Sendable, CaseIterable {
    /// A limit is looked at first.
    case throttle
    /// Who asks, and what that one may do, is looked at first.
    case access
    /// What is asked for is read first.
    case request
    /// What is to be published is looked at first.
    case content
    /// A status of 400 to 499 refuses.
    case status

    /// The premise, in a sentence.
    package var statement: String {
      switch self {
      case .throttle: "Graph counts a call, and turns it away, before it does anything"
      case .access: "Graph looks at token, permissions and roles before it does anything"
      case .request: "Graph reads path and parameters before it does anything"
      case .content: "Graph looks at what is to be published before it publishes"
      case .status: "an error object with a status of 400 to 499 is a refusal"
      }
    }
  }

  /// The premise of this row's proof; nil where it is none.
  package var premise: Premise? {
    switch (proof, reason) {
    case (.never, _): nil
    case (.always, _): .throttle
    case (.refusal, .token), (.refusal, .permission): .access
    case (.refusal, .parameter), (.refusal, .notFound): .request
    case (.refusal, .duplicate), (.refusal, .policy): .content
    case (.refusal, _): .status
    }
  }
}
