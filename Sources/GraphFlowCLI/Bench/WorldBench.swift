import GraphFlow

/// A sandbox with a large world: how long it takes to make one, and how much memory it holds.
enum WorldBench {
  /// What is measured.
  static let name = "world"

  /// The figures of one call to a sandbox with so many objects, in a process of its own.
  static func measured(objects: Int) throws -> [(name: String, value: String)] {
    try BenchFolder.with("world") { folder in
      let file = folder + "/world.yaml"
      let world = try AtomicFile(at: file)
      try world.append(Array(description(objects: objects).utf8))
      try world.finish()
      let process = try BenchProcess(["get", "me", "--sandbox", "--world", file])
      return [
        (
          "world of \(objects) objects, made and asked once",
          "\(Stopwatch.milliseconds(process.time)), \(process.memory)"
        )
      ]
    }
  }

  /// Posts with a comment and a like each.
  private static func description(objects: Int) -> String {
    """
    world: 1
    users:
      ann: {name: Ann Onym}
      bob: {name: Bob Ly}
    pages:
      shop:
        name: Shop
        roles: {ann: [ANALYZE]}
        posts:
          - message: Offer number {n} of this week
            count: \(max(1, objects / 2))
            every: 1s
            likes: [bob]
            comments: [{by: bob, message: Lovely!}]
    tokens:
      default: {user: ann}

    """
  }
}
