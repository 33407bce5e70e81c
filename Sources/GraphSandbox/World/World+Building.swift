import JSONPath

/// Changes that only building a world makes; calls cannot.
extension World {
  /// Reserves the ids of the description, so that no other object gets one, and capacity.
  mutating func reserve(_ ids: [String], count: Int) {
    identifiers.reservedIDs = Set(ids)
    if count > 1_000 { objects.reserveCapacity(count) }
  }

  /// Adds a friend to a user, in one direction.
  mutating func befriend(_ user: String, _ friend: String) {
    guard objects[user]?.edges[.friends]?.contains(friend) != true else { return }
    objects[user]?.edges[.friends, default: EdgeList()].append(friend)
  }

  /// Adds the likes of profiles to an object, each once.
  mutating func like(_ object: String, by profiles: [String]) {
    guard !profiles.isEmpty else { return }
    var seen: Set<String> = []
    for profile in profiles where seen.insert(profile).inserted {
      objects[object]?.edges[.likes, default: EdgeList()].append(profile)
    }
  }

  /// The application's own token: its id and its secret, or a substitute for the secret.
  var applicationToken: String {
    "\(application)|\(proofs.appSecret ?? SeededText.traceID(seed: identifiers.seed, ordinal: 0))"
  }
}
