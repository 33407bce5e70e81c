package import GraphAPI

/// An HTTP call that a run wants made.
package struct Call: Sendable {
  /// What is sent.
  package enum Content: Sendable {
    /// Up to 50 operations under one token.
    case batch(BatchRequest)
    /// One operation alone.
    case single(SingleRequest)
  }

  /// The call's number in the run, from 1.
  package let number: Int
  /// What is sent.
  package let content: Content
  /// How long it may take.
  package let timeout: Duration
}

/// What became of an HTTP call.
package enum CallResult: Sendable {
  /// There was an answer, readable or not.
  case answered(BatchAnswer, CallFacts)
  /// There was none.
  case failed(TransportFailure)
}

/// What is known of an HTTP answer besides its content.
package struct CallFacts: Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// The size of the body that was sent.
  package var bytesSent: Int
  /// The size of the body that was received.
  package var bytesReceived: Int
  /// What the outer headers say of the quota.
  package var usage: Usage
  /// The outer `Retry-After`.
  package var retryAfter: Duration?
  /// The outer `Date`: when the server made the answer, by its clock.
  package var date: HTTPDate?

  /// Notes the facts of an answer.
  package init(
    status: Int,
    bytesSent: Int,
    bytesReceived: Int,
    usage: Usage = Usage(),
    retryAfter: Duration? = nil,
    date: HTTPDate? = nil
  ) {
    self.status = status
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.usage = usage
    self.retryAfter = retryAfter
    self.date = date
  }
}
