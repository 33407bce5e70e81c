import GraphAPI

/// An operation with its placeholders filled, and its token.
typealias BoundOperation = (operation: BatchOperation, token: AccessToken)

/// A call that waits for its result.
struct CallUnderWay: Sendable {
  /// The purpose of a call.
  enum Purpose: Sendable {
    /// Sends requests of the workflow.
    case operations([PackedBatch.Member])
    /// Reads the baselines of confirmation checks, before writes are sent for the first time.
    case baselines([BaselineCache.Reading])
    /// Checks whether writes in doubt took effect.
    case checks([Int])
    /// Reads the permissions of tokens.
    case permissions([Permissions.Subject])
    /// Tests whether Graph answers again after an outage.
    case probe

    /// The requests that it carries; nil for calls with another purpose.
    var members: [PackedBatch.Member]? {
      if case .operations(let members) = self { members } else { nil }
    }

    var isOutageProbe: Bool { if case .probe = self { true } else { false } }
  }

  let number: Int
  let purpose: Purpose
  /// The token of each operation; the first token is the call's own.
  let tokens: [AccessToken]
  let startedAt: Duration
  /// The number of unsafe writes that it carries.
  let unsafeWrites: Int
  /// Whether it carries only a part of a call that failed as a whole.
  let isProbe: Bool

  /// The token of an operation; the call's own for an index out of range.
  func token(ofItem index: Int) -> AccessToken? {
    tokens.indices.contains(index) ? tokens[index] : tokens.first
  }
}
