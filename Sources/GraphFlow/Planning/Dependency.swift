/// One reason for which a request waits for another.
///
/// There may be several for the same two requests; the strictest counts.
public struct Dependency: Sendable {
  /// What makes it wait.
  public enum Origin: Sendable {
    /// It is named in `depends_on`.
    case order
    /// A reference to its body.
    case reference(Placeholder)
    /// Its answer holds the items of the group.
    case source(Placeholder)
  }

  /// The request that is waited for.
  public let predecessor: Int
  /// What makes it wait.
  public let origin: Origin
  /// What keeps the two from sharing a batch.
  public internal(set) var obstacles: BatchObstacles
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
  public var kind: DependencyKind { obstacles.isEmpty ? sharedKind : .hard }
}
