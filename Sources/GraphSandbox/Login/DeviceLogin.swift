/// A device that waits until somebody enters its code (docs/internals/graph-api.md, Logging in).
struct DeviceLogin: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case pending
    case approved(user: String)
    case declined
  }

  /// What a person types in.
  let userCode: String
  let scopes: [String]
  let created: Int
  var lastPoll: Int?
  var state = State.pending

  /// Seconds after which the code is worth nothing.
  static let lifetime = 420
  /// Seconds between two polls.
  static let interval = 5

  func secondsLeft(at now: Int) -> Int { created + Self.lifetime - now }

  func isFinished(at now: Int) -> Bool { secondsLeft(at: now) <= 0 }
}
