/// Why no whole HTTP answer came back.
public struct TransportFailure: Error, Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No byte of the request left: refused, no such host, no connection in time, TLS failed.
    case notSent

    /// The request was on its way, and the server has proved that it did not process it.
    case notProcessed

    /// The request was on its way, and the time was over.
    case timedOut

    /// The connection broke after the request had begun to leave.
    case connectionLost

    /// What came back is not HTTP.
    case malformedAnswer

    /// The answer is larger than the limit; the rest was not read.
    case tooLarge

    /// The caller gave up.
    case cancelled
  }

  /// What happened.
  public let kind: Kind

  /// What happened, in words without a token and without a query.
  public let message: String

  /// Whether it is certain that Graph saw nothing of the request.
  ///
  /// So it is with `notSent` and `notProcessed`, and with a call that was cancelled before its first
  /// byte left.
  public let provesNothingHappened: Bool

  /// Makes a failure; one that proves nothing, unless it says so or nothing was sent or processed.
  public init(kind: Kind, message: String, provesNothingHappened: Bool? = nil) {
    self.kind = kind
    self.message = message
    self.provesNothingHappened =
      provesNothingHappened ?? (kind == .notSent || kind == .notProcessed)
  }

  /// The judgement on the failure, in the terms of errors.
  public var classification: Classification {
    Classification(
      category: kind == .cancelled ? .other : .transient,
      reason: reason,
      isRetryUseful: kind != .cancelled,
      isThrottle: false,
      provesNothingHappened: provesNothingHappened,
      hint: hint,
      source: "the connection itself"
    )
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
    case .notProcessed: "The server is about to go away and took no more requests; send it again."
    case .timedOut: "Graph did not answer in time; ask for less, or allow more time."
    case .connectionLost: "The connection broke; whether Graph acted is not known."
    case .malformedAnswer: "Something that is not Graph answered; check proxies on the way."
    case .tooLarge: "Ask for fewer fields or a smaller limit."
    case .cancelled: "The run was ended."
    }
  }
}

extension TransportFailure: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
