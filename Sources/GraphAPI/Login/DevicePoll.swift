internal import JSONPath

/// What Graph says to a device that asks whether it is logged in.
///
/// The subcode decides: by their codes alone waiting would be an unknown error and asking too often
/// one that passes. Source: Facebook Login, "Login for Devices"; Meta's SDK for iOS.
package enum DevicePoll: Hashable, Sendable {
  /// The person has agreed.
  case granted(TokenGrant)
  /// The person has not decided yet.
  case pending
  /// The device asks too often.
  case slowDown
  /// The person has refused.
  case declined
  /// The codes are worth nothing any more.
  case expired
  /// An error that passes, in words: ask again.
  case passing(String)
  /// An error that stays.
  case refused(GraphError, status: Int)

  /// Judges an answer.
  package init(_ answer: BatchAnswer) {
    switch answer {
    case .items(let items):
      guard case .response(let response)? = items.first else {
        self = .passing("the answer holds nothing")
        return
      }
      if let error = response.error {
        self.init(error, status: response.code)
      } else if let body = try? response.body.json(), let grant = TokenGrant(body: body) {
        self = .granted(grant)
      } else {
        self = .passing("the answer holds no token")
      }
    case .refused(let error, let status): self.init(error, status: status)
    case .unreadable(let status, let reason): self = .passing("\(reason) (status \(status))")
    }
  }

  private init(_ error: GraphError, status: Int) {
    if let known = Self.bySubcode[error.subcode ?? 0] ?? Self.byOldMessage[error.message] {
      self = known
      return
    }
    let judgement = ErrorTable.standard.classification(of: error, status: status)
    self =
      judgement.category == .transient
      ? .passing(error.message) : .refused(error, status: status)
  }

  private static let bySubcode: [Int: DevicePoll] = [
    1_349_174: .pending, 1_349_172: .slowDown, 1_349_173: .declined, 1_349_152: .expired,
  ]

  /// What older versions of the API said.
  private static let byOldMessage: [String: DevicePoll] = [
    "authorization_pending": .pending, "slow_down": .slowDown,
    "authorization_declined": .declined, "code_expired": .expired,
  ]
}
