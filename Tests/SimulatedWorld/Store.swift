import GraphFlow
import Synchronization

/// A journal in memory that fails as disks do, and forgets what was not synced when power is lost.
///
/// Events are kept as the product writes them into its file, and are read back from that.
final class Store: Journal {
  /// A row as the file has it.
  struct Row: Sendable, Equatable {
    let kind: String
    let json: [UInt8]
    let body: [UInt8]?
  }

  /// What goes wrong with an append.
  enum DiskFault: Error, Sendable {
    /// ENOSPC: nothing is stored.
    case full
    /// EIO: nobody knows what is stored.
    case broken
    /// The process died in it.
    case died
  }

  fileprivate struct State {
    var rows: [Row] = []
    /// How many rows every power cut leaves.
    var durable = 0
    /// Where appends ended that were not synced.
    var boundaries: [Int] = []
    var chance: Chance
    var machine: Machine
    var faultRate = 0
    var isBroken = false
    var reached: [RareState] = []
  }

  private let state: Mutex<State>

  init(_ chance: Chance, machine: Machine) {
    state = Mutex(State(chance: chance, machine: machine))
  }

  var rows: [Row] { state.withLock { $0.rows } }

  var count: Int { state.withLock { $0.rows.count } }

  /// Rare states since this was asked last.
  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.reached = [] }
      return state.reached
    }
  }

  /// The events, read from the rows.
  func events() throws -> [RunEvent] {
    try rows.map { try RunEvent(kind: $0.kind, json: $0.json, body: $0.body) }
  }

  /// Starts another process on what the last one has left.
  ///
  /// - Parameters:
  ///   - machine: the process.
  ///   - faultRate: how many of its appends in a thousand fail.
  ///   - isCut: whether what was not synced may be lost, from some append on.
  func restart(on machine: Machine, faultRate: Int, isCut: Bool) {
    state.withLock { state in
      if isCut {
        let ends = [state.durable] + state.boundaries.filter { $0 > state.durable }
        let kept = min(ends[state.chance.below(ends.count)], state.rows.count)
        if kept < state.rows.count { state.reached.append(.unsyncedRowsLost) }
        state.rows.removeSubrange(kept...)
      }
      state.boundaries = []
      state.durable = state.rows.count
      state.machine = machine
      state.faultRate = faultRate
      state.isBroken = false
    }
  }

  func append(_ events: [RunEvent], durably: Bool) async throws {
    let hasIntent = events.contains { $0.kind == "call_started" }
    let rows = events.map { Row(kind: $0.kind, json: $0.json, body: $0.body) }
    try state.withLock { state in
      guard !state.isBroken, state.machine.lives(at: .beforeAppend) else { throw DiskFault.died }
      if state.chance.happens(state.faultRate) {
        try state.fail(rows, hasIntent: hasIntent)
      }
      state.store(rows, durably: durably)
      guard state.machine.lives(at: hasIntent ? .afterIntent : .afterOutcome) else {
        throw DiskFault.died
      }
    }
  }
}

extension Store.State {
  mutating func store(_ rows: [Store.Row], durably: Bool) {
    self.rows += rows
    if durably { durable = self.rows.count } else { boundaries.append(self.rows.count) }
  }

  mutating func fail(_ rows: [Store.Row], hasIntent: Bool) throws {
    isBroken = true
    if chance.happens(500) {
      reached.append(hasIntent ? .diskFullAtIntent : .diskFullAtOutcome)
      throw Store.DiskFault.full
    }
    reached.append(hasIntent ? .diskBrokenAtIntent : .diskBrokenAtOutcome)
    if chance.happens(500) { store(rows, durably: false) }
    throw Store.DiskFault.broken
  }
}
