/// The ids of the nodes that the writes of a run created.
///
/// A confirmation check takes none of them for the node of another write. Only the ids that a check
/// could still find are kept: nodes that existed before every write that may need a check do not
/// match anyway.
struct ClaimedNodes: Sendable {
  /// One request, for one item.
  struct Owner: Hashable, Sendable {
    let request: Int
    /// The item's key; empty outside groups.
    let key: String
  }

  /// How long before the oldest open intent an id may still matter.
  private static let margin = Duration.seconds(-300)

  /// When each id was first recorded.
  private var times: [String: Timestamp] = [:]
  /// When each write that may need a check was first sent.
  private var intents: [Owner: Timestamp] = [:]
  private var limit = 1000

  func contains(_ id: String) -> Bool { times[id] != nil }

  /// Records that a write is sent that may need a check; the first time counts.
  mutating func recordIntent(of owner: Owner, since intent: Timestamp) {
    intents[owner] = intents[owner] ?? intent
  }

  mutating func removeIntent(of owner: Owner) { intents[owner] = nil }

  /// Dates every entry at a time: this machine's clock may have been set while no process ran.
  mutating func resetTimes(to now: Timestamp) {
    times = times.mapValues { _ in now }
    intents = intents.mapValues { _ in now }
  }

  mutating func claim(_ ids: [String], at now: Timestamp) {
    for id in ids where times[id] == nil { times[id] = now }
    guard times.count > limit else { return }
    let oldest = min(intents.values.min() ?? now, now).advanced(by: ClaimedNodes.margin)
    times = times.filter { $0.value >= oldest }
    // The next scan is worth its cost only after many more ids.
    limit = max(1000, 2 * times.count)
  }
}
