internal import JSONPath

/// The answer to a device that polls whether it is logged in.
///
/// The subcode decides: by the codes alone, a pending login would be an unknown error, and polling too
/// often a temporary one. Source: Facebook Login, "Login for Devices"; Meta's SDK for iOS.
package enum DevicePoll: Hashable, Sendable {
  /// The person has agreed.
  case granted(TokenGrant)
  /// The person has not decided yet.
  case pending
  /// The device polls too often.
  case slowDown
  /// The person has refused.
  case declined
  /// The codes have expired.
  case expired
  /// A temporary error, with a message: poll again.
  case temporaryError(String)
  /// A permanent error.
  case refused(GraphError, status: Int)

  /// Classifies an answer.
  package init(_ answer: BatchAnswer) {
    switch answer {
    case .items(let items):
      guard case .response(let response)? = items.first else {
        self = .temporaryError("the answer is empty")
        return
      }
      if let error = response.error {
        self.init(error, status: response.code)
      } else if let body = try? response.body.json(), let grant = TokenGrant(body: body) {
        self = .granted(grant)
      } else {
        self = .temporaryError("the answer has no token")
      }
    case .refused(let error, let status): self.init(error, status: status)
    case .unreadable(let status, let reason): self = .temporaryError("\(reason) (status \(status))")
    }
  }

  private init(_ error: GraphError, status: Int) {
    if let known = Self.bySubcode[error.subcode ?? 0] ?? Self.byOldMessage[error.message] {
      self = known
      return
    }
    let classification = ErrorTable.standard.classification(of: error, status: status)
    self =
      classification.category == .transient
      ? .temporaryError(error.message) : .refused(error, status: status)
  }

  private static let bySubcode: [Int: DevicePoll] = [
    1_349_174: .pending, 1_349_172: .slowDown, 1_349_173: .declined, 1_349_152: .expired,
  ]

  /// The messages of older versions of the API.
  private static let byOldMessage: [String: DevicePoll] = [
    "authorization_pending": .pending, "slow_down": .slowDown,
    "authorization_declined": .declined, "code_expired": .expired,
  ]
}
