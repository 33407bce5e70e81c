/// The ids of what the writes of a run have made, so that no look takes one for another's.
///
/// Only as many are kept as a look could still meet: nodes that were there before every write that
/// may yet be looked for do not count anyway.
struct ClaimedNodes: Sendable {
  /// One request, for one item.
  struct Owner: Hashable, Sendable {
    let request: Int
    /// The item's key; empty outside groups.
    let key: String
  }

  /// How long before the oldest open intent an id may still matter.
  private static let margin = Duration.seconds(-300)

  /// When each was known first.
  private var times: [String: Timestamp] = [:]
  private var intents: [Owner: Timestamp] = [:]
  private var limit = 1000

  /// Whether an id is some write's.
  func contains(_ id: String) -> Bool { times[id] != nil }

  /// Notes that a write is sent that may have to be looked for; the first time counts.
  mutating func open(_ owner: Owner, since intent: Timestamp) {
    intents[owner] = intents[owner] ?? intent
  }

  /// Notes that a write is over.
  mutating func close(_ owner: Owner) {
    intents[owner] = nil
  }

  /// Takes all that is known for known from a time on: this machine's clock may have been set while
  /// no process was there.
  mutating func restart(at now: Timestamp) {
    times = times.mapValues { _ in now }
    intents = intents.mapValues { _ in now }
  }

  /// Takes ids for a write.
  mutating func claim(_ ids: [String], at now: Timestamp) {
    for id in ids where times[id] == nil { times[id] = now }
    guard times.count > limit else { return }
    let oldest = min(intents.values.min() ?? now, now).advanced(by: ClaimedNodes.margin)
    times = times.filter { $0.value >= oldest }
    // Looking through them again is worth it only when there are many more.
    limit = max(1000, 2 * times.count)
  }
}
