extension ErrorCategory {
  /// What it means, in half a sentence.
  public var meaning: String {
    switch self {
    case .transient: "it passes by itself"
    case .recoverable: "it goes away once something else is done: a login, a permission"
    case .other: "sending the same again gives the same error"
    }
  }
}

extension FailureReason {
  /// What it means, in half a sentence.
  public var meaning: String {
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
  public var safety: String {
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
