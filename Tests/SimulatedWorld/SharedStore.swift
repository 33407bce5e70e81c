import GraphFlow

/// The journal of a run as one process of several hosts has it: in a database that is far away, and only
/// as long as the process holds the lease of the run.
///
/// An append takes time in both directions. The database refuses one that arrives after another process
/// has taken over, and it may store one whose process is stopped before it learns that.
struct SharedStore: Journal {
  let store: Store
  let machine: Machine
  /// How long an append takes in each direction; nil for a journal on the process's own disk.
  let delay: Duration?

  /// Another process has taken over.
  struct Lost: Error {}

  func append(_ events: [RunEvent], durably: Bool) async throws {
    guard let delay else { return try await store.append(events, durably: durably) }
    await machine.gate()
    try await machine.sleep(until: machine.now + delay)
    guard !machine.hasLostLease else {
      store.reach(.overtakenAppend)
      throw Lost()
    }
    try await store.append(events, durably: durably)
    try await machine.sleep(until: machine.now + delay)
    await machine.gate()
  }
}
