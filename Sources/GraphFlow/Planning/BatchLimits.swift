import GraphAPI

/// What a plan minimises first.
package enum PackingStrategy: String, Hashable, Sendable, CaseIterable {
  /// HTTP calls, then rounds.
  case fewestCalls = "fewest-calls"
  /// Rounds, then HTTP calls.
  case fastest
}

/// How much a batch may hold.
package struct BatchLimits: Hashable, Sendable {
  /// How many calls are under way at a time, unless the person who starts a run says otherwise.
  package static let standardConcurrency = 4

  /// The most operations in one batch, from 1 to Graph's 50.
  package let width: Int
  /// The most writes in one batch that cannot be repeated when their answer is lost, at least 1.
  package let unsafeWrites: Int
  /// What is minimised first.
  package let strategy: PackingStrategy

  /// Makes limits; figures out of range are brought into it.
  package init(
    width: Int = BatchRequest.maximumOperations,
    unsafeWrites: Int = 50,
    strategy: PackingStrategy = .fewestCalls
  ) {
    self.width = min(max(width, 1), BatchRequest.maximumOperations)
    self.unsafeWrites = max(unsafeWrites, 1)
    self.strategy = strategy
  }
}
