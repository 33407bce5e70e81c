import GraphFlow
import Synchronization

/// A journal in memory that fails as disks do, and loses unsynced rows in a power cut.
///
/// Events are stored in the product's file format and parsed again from it.
final class Store: Journal {
  /// A row of the file.
  struct Row: Sendable, Equatable {
    let kind: String
    let json: [UInt8]
    let body: [UInt8]?
  }

  /// What goes wrong with an append.
  enum DiskFault: Error, Sendable {
    /// ENOSPC: nothing is stored.
    case full
    /// EIO: it is unknown what is stored.
    case broken
    /// The process died in it.
    case died
  }

  fileprivate struct State {
    var rows: [Row] = []
    /// The row counts after each append.
    var ends: [Int] = []
    /// The running checksum of the rows.
    var checksum = Store.checksum(of: [])
    /// The mark beside the journal, and the mark that a power cut leaves.
    var mark: RunFiles.Mark? = .entry(0, checksum: 0)
    var syncedMark: RunFiles.Mark? = .entry(0, checksum: 0)
    /// Whether this process has synced the mark.
    var hasSyncedMark = false
    /// Whether the mark was written after the last change to the files.
    var isMarkNew = false
    var isNamed = true
    /// The number of rows that survive every power cut.
    var durable = 0
    /// The row counts after each append that was not synced.
    var boundaries: [Int] = []
    var generator: SeededGenerator
    var machine: Machine
    var faultRate = 0
    var isBroken = false
    var reached: [RareState] = []
  }

  private let state: Mutex<State>

  init(_ generator: SeededGenerator, machine: Machine) {
    state = Mutex(State(generator: generator, machine: machine))
  }

  var rows: [Row] { state.withLock { $0.rows } }

  var count: Int { state.withLock { $0.rows.count } }

  /// Returns the rare states since the last call.
  func takeReached() -> [RareState] {
    state.withLock { state in
      defer { state.reached = [] }
      return state.reached
    }
  }

  func reach(_ rare: RareState) { state.withLock { $0.reached.append(rare) } }

  /// The events, parsed from the rows.
  func events() throws -> [RunEvent] {
    try rows.map { try RunEvent(kind: $0.kind, json: $0.json, body: $0.body) }
  }

  /// Starts another process on the rows of the last one.
  ///
  /// - Parameters:
  ///   - machine: the process.
  ///   - faultRate: the failed appends in a thousand.
  ///   - isCut: whether unsynced rows may be lost, from some append on.
  func restart(on machine: Machine, faultRate: Int, isCut: Bool) {
    state.withLock { state in
      if isCut {
        let ends = [state.durable] + state.boundaries.filter { $0 > state.durable }
        let kept = min(ends[state.generator.below(ends.count)], state.rows.count)
        if kept < state.rows.count { state.reached.append(.unsyncedRowsLost) }
        state.rows.removeSubrange(kept...)
        state.ends.removeAll { $0 > kept }
        state.checksum = Store.checksum(of: state.rows)
        if state.generator.happens(500) { state.mark = state.syncedMark }
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
      guard !state.isBroken, state.machine.step(at: .beforeAppend) else { throw DiskFault.died }
      if state.generator.happens(state.faultRate) {
        try state.failAppend(rows, hasIntent: hasIntent)
      }
      state.store(rows, durably: durably)
      if durably {
        guard state.machine.step(at: .beforeMark) else { throw DiskFault.died }
        let isFirst = !state.hasSyncedMark && state.rows.count > rows.count
        state.writeMark(isSynced: hasIntent || isFirst)
        state.hasSyncedMark = true
      }
      guard state.machine.step(at: hasIntent ? .afterIntent : .afterOutcome) else {
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

  /// Whether the mark was written after the last change to the files.
  var isMarkNew: Bool { state.withLock { $0.isMarkNew } }

  /// The files on the disk between two processes.
  var files: RunFiles {
    state.withLock { RunFiles(rows: $0.rows, ends: $0.ends, mark: $0.mark, isNamed: $0.isNamed) }
  }

  /// Replaces the files.
  func put(_ files: RunFiles) {
    state.withLock { state in
      state.rows = files.rows ?? []
      state.ends = files.ends.filter { $0 <= state.rows.count }
      state.checksum = Store.checksum(of: state.rows)
      state.durable = state.rows.count
      state.boundaries = []
      // A lost mark is replaced by one that no journal reaches.
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

  /// Begins a new run with durable events.
  func beginRun(with events: [RunEvent]) {
    state.withLock { state in
      let rows = events.map { Row(kind: $0.kind, json: $0.json, body: $0.body) }
      state.store(rows, durably: true)
      state.writeMark(isSynced: true)
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

  /// Writes the mark: the last row and the checksum of the journal.
  mutating func writeMark(isSynced: Bool) {
    mark = .entry(Int64(rows.count), checksum: checksum)
    if isSynced { syncedMark = mark }
    isMarkNew = true
  }

  mutating func failAppend(_ rows: [Store.Row], hasIntent: Bool) throws {
    isBroken = true
    if generator.happens(500) {
      reached.append(hasIntent ? .diskFullAtIntent : .diskFullAtOutcome)
      throw Store.DiskFault.full
    }
    reached.append(hasIntent ? .diskBrokenAtIntent : .diskBrokenAtOutcome)
    if generator.happens(500) { store(rows, durably: false) }
    throw Store.DiskFault.broken
  }
}
