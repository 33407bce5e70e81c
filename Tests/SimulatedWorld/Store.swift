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
    /// Where appends ended.
    var ends: [Int] = []
    /// The running checksum of the rows.
    var checksum = Store.checksum(of: [])
    /// How far the journal has reached, by the file beside it; and what a power cut leaves of that.
    var mark: RunFiles.Mark? = .entry(0, checksum: 0)
    var syncedMark: RunFiles.Mark? = .entry(0, checksum: 0)
    /// Whether this process has synced the mark.
    var hasSyncedMark = false
    /// Whether the mark was written since anything happened to the files.
    var isMarkNew = false
    var isNamed = true
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
        state.ends.removeAll { $0 > kept }
        state.checksum = Store.checksum(of: state.rows)
        if state.chance.happens(500) { state.mark = state.syncedMark }
      }
      state.boundaries = []
      state.durable = state.rows.count
      state.machine = machine
      state.faultRate = faultRate
      state.isBroken = false
      state.hasSyncedMark = false
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
      if durably {
        guard state.machine.lives(at: .beforeMark) else { throw DiskFault.died }
        let isFirst = !state.hasSyncedMark && state.rows.count > rows.count
        state.note(isSynced: hasIntent || isFirst)
        state.hasSyncedMark = true
      }
      guard state.machine.lives(at: hasIntent ? .afterIntent : .afterOutcome) else {
        throw DiskFault.died
      }
    }
  }
}

extension Store {
  /// The running checksum of rows.
  static func checksum(of rows: some Sequence<Row>, after checksum: Int64 = 1) -> Int64 {
    var hash = UInt64(bitPattern: checksum)
    for row in rows {
      for byte in row.json { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      hash = (hash ^ UInt64(row.body?.count ?? 0)) &* 0x0000_0100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }

  /// Whether the mark was written since anything happened to the files.
  var isMarkNew: Bool { state.withLock { $0.isMarkNew } }

  /// What lies on the disk between two processes.
  var files: RunFiles {
    state.withLock {
      RunFiles(rows: $0.rows, ends: $0.ends, mark: $0.mark, isNamed: $0.isNamed)
    }
  }

  /// Puts other files in the place of those that are there.
  func put(_ files: RunFiles) {
    state.withLock { state in
      state.rows = files.rows ?? []
      state.ends = files.ends.filter { $0 <= state.rows.count }
      state.checksum = Store.checksum(of: state.rows)
      state.durable = state.rows.count
      state.boundaries = []
      // A mark that is lost is made again as one that no journal reaches.
      if case .entry? = files.mark {
        state.mark = files.mark
      } else {
        state.mark = .entry(.max, checksum: 0)
      }
      state.syncedMark = state.mark
      state.isNamed = files.isNamed
      state.isMarkNew = false
    }
  }

  /// Begins a new run: its first events are durable.
  func begin(with events: [RunEvent]) {
    state.withLock { state in
      let rows = events.map { Row(kind: $0.kind, json: $0.json, body: $0.body) }
      state.store(rows, durably: true)
      state.note(isSynced: true)
    }
  }
}

extension Store.State {
  mutating func store(_ rows: [Store.Row], durably: Bool) {
    self.rows += rows
    ends.append(self.rows.count)
    checksum = Store.checksum(of: rows, after: checksum)
    if durably { durable = self.rows.count } else { boundaries.append(self.rows.count) }
  }

  /// Says beside the journal how far it has reached.
  mutating func note(isSynced: Bool) {
    mark = .entry(Int64(rows.count), checksum: checksum)
    if isSynced { syncedMark = mark }
    isMarkNew = true
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
