public import GraphAPI

/// An HTTP call that a run wants made.
public struct Call: Sendable {
  /// What is sent.
  public enum Content: Sendable {
    /// Up to 50 operations under one token.
    case batch(BatchRequest)
    /// One operation alone.
    case single(SingleRequest)
  }

  /// The call's number in the run, from 1.
  public let number: Int
  /// What is sent.
  public let content: Content
  /// How long it may take.
  public let timeout: Duration
}

/// What became of an HTTP call.
public enum CallResult: Sendable {
  /// There was an answer, readable or not.
  case answered(BatchAnswer, CallFacts)
  /// There was none.
  case failed(TransportFailure)
}

/// What is known of an HTTP answer besides its content.
public struct CallFacts: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The size of the body that was sent.
  public var bytesSent: Int
  /// The size of the body that was received.
  public var bytesReceived: Int
  /// What the outer headers say of the quota.
  public var usage: Usage
  /// The outer `Retry-After`.
  public var retryAfter: Duration?
  /// The outer `Date`: when the server made the answer, by its clock.
  public var date: HTTPDate?

  /// Notes the facts of an answer.
  public init(
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
