import GraphAPI

/// An operation whose placeholders are filled, and the token that it is sent with.
typealias BoundOperation = (operation: BatchOperation, token: AccessToken)

/// A call whose result is awaited.
struct CallUnderWay: Sendable {
  /// What it is for.
  enum Purpose: Sendable {
    /// It carries requests of the workflow.
    case operations([PackedBatch.Member])
    /// It reads confirmation checks before writes are sent for the first time.
    case baselines([BaselineCache.Reading])
    /// It looks for writes that may have happened.
    case checks([Int])
    /// It asks for the permissions of tokens.
    case permissions([Permissions.Subject])
    /// It finds out whether Graph is there again.
    case probe

    /// The requests that it carries; nil if it is about something else.
    var members: [PackedBatch.Member]? {
      if case .operations(let members) = self { members } else { nil }
    }

    var isOutageProbe: Bool {
      if case .probe = self { true } else { false }
    }
  }

  let number: Int
  let purpose: Purpose
  /// The token of each operation; the first one's is that of the call.
  let tokens: [AccessToken]
  let startedAt: Duration
  /// How many unsafe writes it carries.
  let unsafeWrites: Int
  /// Whether it carries only what shared a call that failed as a whole, and not all of it.
  let isProbe: Bool

  /// The token of an operation; the call's own where there is none.
  func token(ofItem index: Int) -> AccessToken? {
    tokens.indices.contains(index) ? tokens[index] : tokens.first
  }
}
