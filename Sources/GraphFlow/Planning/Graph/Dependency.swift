/// One reason why a request waits for another.
///
/// Two requests may have several; the strictest one counts.
struct Dependency: Sendable {
  /// Where the dependency comes from.
  enum Origin: Sendable {
    /// The request is named in `depends_on`.
    case order
    /// A reference to its body.
    case reference(Placeholder)
    /// Its answer contains the items of the group.
    case source(Placeholder)
  }

  let predecessor: Int
  let origin: Origin
  /// The kind if there are no obstacles.
  let sharedKind: DependencyKind
  /// Why the two cannot share a batch.
  var obstacles: BatchObstacles

  var kind: DependencyKind { obstacles.isEmpty ? sharedKind : .hard }
}
