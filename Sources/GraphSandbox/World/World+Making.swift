import JSONPath

/// What the making of a world needs beside what calls can do.
extension World {
  /// Keeps ids that the author has given from being made, and makes room.
  mutating func reserve(_ ids: [String], count: Int) {
    reservedIDs = Set(ids)
    if count > 1_000 { objects.reserveCapacity(count) }
  }

  /// Makes one user the friend of another; the other way is another friendship.
  mutating func befriend(_ user: String, _ friend: String) {
    guard objects[user]?.edges[.friends]?.contains(friend) != true else { return }
    objects[user]?.edges[.friends, default: EdgeList()].append(friend)
  }

  /// Lets profiles like an object, each once.
  mutating func like(_ object: String, by profiles: [String]) {
    guard !profiles.isEmpty else { return }
    var seen: Set<String> = []
    for profile in profiles where seen.insert(profile).inserted {
      objects[object]?.edges[.likes, default: EdgeList()].append(profile)
    }
  }

  /// The token that stands for the application itself: its id, and its secret or what looks so.
  var applicationToken: String {
    "\(application)|\(proofs.appSecret ?? SeededText.traceID(seed: seed, ordinal: 0))"
  }
}
