extension ErrorCategory {
  /// The meaning, as a phrase without a full stop.
  package var meaning: String {
    switch self {
    case .transient: "a temporary error; wait and send again"
    case .recoverable: "fixed by another step, such as a login or a permission"
    case .other: "sending the same request again gives the same error"
    }
  }
}

extension FailureReason {
  /// The meaning, as a phrase without a full stop.
  package var meaning: String {
    switch self {
    case .throttled: "too many calls in too little time"
    case .server: "an error on Graph's side"
    case .network: "the connection to Graph, or the answer, was lost"
    case .timeout: "no answer in time, or the batch was not finished in time"
    case .token: "the access token is missing, expired, revoked or otherwise invalid"
    case .permission: "the token lacks a permission for this"
    case .parameter: "something in the request is wrong"
    case .notFound: "the object does not exist, or this token cannot see it"
    case .duplicate: "Graph treats it as a duplicate of an earlier post"
    case .policy: "Meta blocked the action under its policies"
    case .dependency: "a dependency of the request did not succeed"
    case .expectation: "an expectation of the workflow does not hold"
    case .unresolvedReference: "a reference selected nothing"
    case .queryLimit: "a query or pattern took too many steps"
    case .notAllowed: "the machine's guard does not allow it"
    case .writeLimit: "the run has sent as many writes as it may"
    case .notApproved: "it is not one of the writes that a person has approved"
    case .cancelled: "the run was cancelled"
    case .unknown: "unknown; see Graph's message"
    }
  }
}

extension ErrorTable.Row.Proof {
  /// Whether a write that must not be repeated may be sent again, as a sentence.
  package var safety: String {
    switch self {
    case .always: "yes: Graph rejects throttled calls before it does anything"
    case .refusal:
      "if the answer is an error object with a status of 400 to 499 and without is_transient, "
        + "because Graph then rejected it; otherwise it is in doubt"
    case .never:
      "no: Graph may have done it before it failed, so it is in doubt; `confirm` checks it"
    }
  }
}

extension ErrorTable.Row {
  /// The assumption behind a proof: why an error of this kind means that nothing happened.
  ///
  /// Graph does not guarantee any of them; docs/reference/errors.md lists the evidence for each.
  package enum Premise: String, Hashable, Sendable, CaseIterable {
    case throttle
    case access
    case request
    case content
    case status

    /// The premise, as a sentence.
    package var statement: String {
      switch self {
      case .throttle: "Graph counts a call, and rejects it, before it does anything"
      case .access: "Graph checks token, permissions and roles before it does anything"
      case .request: "Graph checks path and parameters before it does anything"
      case .content: "Graph checks the content before it publishes it"
      case .status: "an error object with a status of 400 to 499 is a rejection"
      }
    }
  }

  /// The premise of this row's proof; nil if the row is not a proof.
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
