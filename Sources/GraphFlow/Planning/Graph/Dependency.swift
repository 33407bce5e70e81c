/// One reason why a request waits for another.
///
/// Two requests may have several; the strictest one counts.
package struct Dependency: Sendable {
  /// Where the dependency comes from.
  package enum Origin: Sendable {
    /// The request is named in `depends_on`.
    case order
    /// A reference to its body.
    case reference(Placeholder)
    /// Its answer contains the items of the group.
    case source(Placeholder)
  }

  /// The request that the dependent one waits for.
  package let predecessor: Int
  /// Where the dependency comes from.
  package let origin: Origin
  /// Why the two cannot share a batch.
  package internal(set) var obstacles: BatchObstacles
  /// The kind if there are no obstacles.
  private let sharedKind: DependencyKind

  /// Creates a dependency; `sharedKind` is its kind if there are no obstacles.
  init(
    on predecessor: Int, _ origin: Origin, _ sharedKind: DependencyKind, obstacles: BatchObstacles
  ) {
    self.predecessor = predecessor
    self.origin = origin
    self.sharedKind = sharedKind
    self.obstacles = obstacles
  }

  /// How the request waits.
  package var kind: DependencyKind { obstacles.isEmpty ? sharedKind : .hard }
}
