/// One reason for which a request waits for another.
///
/// There may be several for the same two requests; the strictest counts.
package struct Dependency: Sendable {
  /// What makes it wait.
  package enum Origin: Sendable {
    /// It is named in `depends_on`.
    case order
    /// A reference to its body.
    case reference(Placeholder)
    /// Its answer holds the items of the group.
    case source(Placeholder)
  }

  /// The request that is waited for.
  package let predecessor: Int
  /// What makes it wait.
  package let origin: Origin
  /// What keeps the two from sharing a batch.
  package internal(set) var obstacles: BatchObstacles
  /// How it waits if nothing keeps the two apart.
  private let sharedKind: DependencyKind

  /// Makes a dependency of the kind that it has where there is no obstacle.
  init(
    on predecessor: Int,
    _ origin: Origin,
    _ sharedKind: DependencyKind,
    obstacles: BatchObstacles
  ) {
    self.predecessor = predecessor
    self.origin = origin
    self.sharedKind = sharedKind
    self.obstacles = obstacles
  }

  /// How the request waits.
  package var kind: DependencyKind { obstacles.isEmpty ? sharedKind : .hard }
}
