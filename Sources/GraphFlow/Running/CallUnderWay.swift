import GraphAPI

/// A call whose result is awaited.
struct CallUnderWay: Sendable {
  /// What it is for.
  enum Purpose: Sendable {
    /// It carries requests of the workflow.
    case operations([PackedBatch.Member])
    /// It looks for writes that may have happened.
    case looks([Int])
    /// It asks for the permissions of a profile's token.
    case permissions(profile: String)
  }

  let number: Int
  let purpose: Purpose
  let startedAt: Duration
  /// How many unsafe writes it carries.
  let unsafeWrites: Int
  /// Whether it carries only what shared a call that failed as a whole, and not all of it.
  let isProbe: Bool
}
