/// Why there is no complete HTTP answer.
public struct TransportFailure: Error, Hashable, Sendable {
  /// The kind of a failure.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No byte of the request was sent: connection refused, unknown host, no connection in time, or a
    /// TLS failure.
    case notSent
    /// The request was sent, and the server proved that it did not process it (GOAWAY; RFC 9113,
    /// section 6.8).
    case notProcessed
    /// The request was sent, and there was no complete answer in time.
    case timedOut
    /// The connection was lost after the first byte of the request was sent.
    case connectionLost
    /// The answer is not valid HTTP.
    case malformedAnswer
    /// The answer is larger than the limit; the rest was not read.
    case tooLarge
    /// The caller cancelled.
    case cancelled
  }

  /// The kind of the failure.
  public let kind: Kind
  /// What happened: a phrase without secrets and without a URL's query.
  public let message: String
  /// Whether it is certain that Graph did not process the request.
  ///
  /// This holds for `notSent`, `notProcessed`, and a call that was cancelled before its first byte was
  /// sent.
  public let provesNothingHappened: Bool

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - kind: The kind of the failure.
  ///   - message: What happened: a phrase without secrets.
  ///   - provesNothingHappened: Whether it is certain that Graph did not process the request; nil
  ///     decides by the kind.
  public init(kind: Kind, message: String, provesNothingHappened: Bool? = nil) {
    self.kind = kind
    self.message = message
    self.provesNothingHappened =
      provesNothingHappened ?? (kind == .notSent || kind == .notProcessed)
  }

  /// The classification of the failure, in the same terms as Graph's errors.
  public var classification: Classification {
    Classification(
      category: kind == .cancelled ? .other : .transient, reason: reason,
      isRetryUseful: kind != .cancelled, isThrottle: false,
      provesNothingHappened: provesNothingHappened, hint: hint, source: "the connection itself")
  }

  private var reason: FailureReason {
    switch kind {
    case .notSent, .notProcessed, .connectionLost: .network
    case .timedOut: .timeout
    case .malformedAnswer, .tooLarge: .server
    case .cancelled: .cancelled
    }
  }

  private var hint: String {
    switch kind {
    case .notSent: "Check the network, the name and the port; nothing was sent."
    case .notProcessed: "The server is shutting down and accepted no more requests; send it again."
    case .timedOut: "Graph did not answer in time; ask for less, or allow more time."
    case .connectionLost: "The connection broke; it is unknown whether Graph processed the request."
    case .malformedAnswer: "Something that is not Graph answered; check proxies on the way."
    case .tooLarge: "Ask for fewer fields or a smaller limit."
    case .cancelled: "The run was cancelled."
    }
  }
}

extension TransportFailure: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
