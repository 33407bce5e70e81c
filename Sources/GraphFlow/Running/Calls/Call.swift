package import GraphAPI

/// An HTTP call that the runner has to make.
package struct Call: Sendable {
  /// What is sent.
  package enum Content: Sendable {
    /// Up to 50 operations.
    case batch(BatchRequest)
    /// One operation without a batch.
    case single(SingleRequest)
  }

  /// The call's number in the run, from 1.
  package let number: Int
  package let content: Content
  /// How long to wait for the answer.
  package let timeout: Duration
}

/// The result of an HTTP call.
package enum CallResult: Sendable {
  /// There was an answer, readable or not.
  case answered(BatchAnswer, CallFacts)
  /// There was no answer.
  case failed(TransportFailure)
}

/// The facts about an HTTP answer besides its content.
package struct CallFacts: Hashable, Sendable {
  package var status: Int
  /// The size of the body that was sent.
  package var bytesSent: Int
  /// The size of the body that was received.
  package var bytesReceived: Int
  /// The usage of the quota in the outer headers.
  package var usage: Usage
  /// The outer `Retry-After`.
  package var retryAfter: Duration?
  /// The outer `Date`: when the server made the answer, by its clock.
  package var date: HTTPDate?
  /// Whether the answer is from graphflow's own sandbox, which says where it differs from Graph.
  package var hasSandboxNote: Bool
  /// The version of the answer.
  package var version: GraphVersion?

  package init(
    status: Int, bytesSent: Int, bytesReceived: Int, usage: Usage = Usage(),
    retryAfter: Duration? = nil, date: HTTPDate? = nil, hasSandboxNote: Bool = false,
    version: GraphVersion? = nil
  ) {
    self.status = status
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.usage = usage
    self.retryAfter = retryAfter
    self.date = date
    self.hasSandboxNote = hasSandboxNote
    self.version = version
  }
}
