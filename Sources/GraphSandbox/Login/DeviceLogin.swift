/// A device that waits until a user enters its code (docs/internals/graph-api.md, Logging in).
struct DeviceLogin: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case pending
    case approved(user: String)
    case declined
  }

  let userCode: String
  let scopes: [String]
  let created: Int
  var lastPoll: Int?
  var state = State.pending

  /// Seconds until the code expires.
  static let lifetime = 420
  /// The least number of seconds between two polls.
  static let interval = 5

  func secondsLeft(at now: Int) -> Int { created + Self.lifetime - now }

  func isExpired(at now: Int) -> Bool { secondsLeft(at: now) <= 0 }
}
