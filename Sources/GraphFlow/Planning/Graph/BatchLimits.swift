import GraphAPI

/// What a plan minimizes first.
package enum PackingStrategy: String, Hashable, Sendable, CaseIterable {
  /// HTTP calls, then rounds.
  case fewestCalls = "fewest-calls"
  /// Rounds, then HTTP calls.
  case fastest
}

/// How much a batch may hold.
package struct BatchLimits: Hashable, Sendable {
  /// The number of concurrent calls at the start of a run, and the largest one that it may reach,
  /// unless the user sets one.
  package static let concurrency = 4...32

  /// The most operations in one batch, from 1 to Graph's 50.
  package let width: Int
  /// The most unsafe writes in one batch, at least 1: writes that must not be repeated after a lost
  /// answer.
  package let unsafeWrites: Int
  package let strategy: PackingStrategy

  /// Creates limits; values out of range are clamped.
  package init(
    width: Int = BatchRequest.maximumOperations, unsafeWrites: Int = 50,
    strategy: PackingStrategy = .fewestCalls
  ) {
    self.width = min(max(width, 1), BatchRequest.maximumOperations)
    self.unsafeWrites = max(unsafeWrites, 1)
    self.strategy = strategy
  }
}
