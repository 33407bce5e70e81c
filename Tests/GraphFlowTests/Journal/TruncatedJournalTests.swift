import TestSupport
import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How the state directory handles a truncated journal.
@Suite
struct TruncatedJournalTests {
  private let scratch: ScratchFolder
  private let state: StateDirectory

  init() throws {
    scratch = try ScratchFolder()
    state = StateDirectory(path: scratch.path)
  }

  private var log: String { state.journalPath(SampleRuns.id) + "-wal" }

  /// The files, with the log, of a journal that was killed after some durable appends.
  private func killed(appends: Int = 5) async throws -> SQLiteJournal {
    let journal = try state.createJournal(for: SampleRuns.id)
    for _ in 0..<appends { try await journal.append(SampleRuns.succeeded, durably: true) }
    return journal
  }

  private var verdict: JournalEvidence.Verdict {
    get throws { try #require(try state.evidenceUnlessPruned(of: SampleRuns.id)).verdict }
  }

  @Test func `a run is whole if it was killed, also between the two syncs`()
    async throws
  {
    let journal = try await killed()
    #expect(try verdict == .whole)
    // The journal is ahead of its mark by an entry.
    try IntentFile(path: scratch.path + "/intents/\(SampleRuns.id)").update(
      entry: 0, checksum: 0, isSynced: false)
    #expect(try verdict == .whole)
    withExtendedLifetime(journal) {}
  }

  @Test func `the start of a run does not depend on the log`() async throws {
    let journal = try await killed(appends: 1)
    let copy = scratch.path + "/alone"
    try ScratchFolder.write(contents(of: state.journalPath(SampleRuns.id)), to: copy)
    let reading = try JournalReading(SQLiteRows(path: copy))
    #expect(try reading.events() == SampleRuns.succeeded)
    withExtendedLifetime(journal) {}
  }

  @Test func `a truncated log is detected, or the missing part held nothing durable`()
    async throws
  {
    let journal = try await killed()
    let files = try ["", "-wal"].map { try contents(of: state.journalPath(SampleRuns.id) + $0) }
    let mark = try contents(of: scratch.path + "/intents/\(SampleRuns.id)")
    var damaged = 0
    for length in stride(from: 0, to: files[1].count, by: 997) {
      let other = try ScratchFolder()
      let copy = StateDirectory(path: other.path)
      try await copy.createJournal(for: SampleRuns.id).close()
      try ScratchFolder.write(files[0], to: copy.journalPath(SampleRuns.id))
      let cut = Array(files[1].prefix(length))
      try ScratchFolder.write(cut, to: copy.journalPath(SampleRuns.id) + "-wal")
      try ScratchFolder.write(mark, to: other.path + "/intents/\(SampleRuns.id)")
      let verdict = try #require(try copy.evidenceUnlessPruned(of: SampleRuns.id)).verdict
      if case .damaged(.short(_, reached: 5)) = verdict { damaged += 1 }
    }
    #expect(damaged == (files[1].count + 996) / 997)
    withExtendedLifetime(journal) {}
  }

  @Test func `a lost mark is replaced by one that no journal reaches`() async throws {
    try await killed().close()
    let path = scratch.path + "/intents/\(SampleRuns.id)"
    unlink(path)
    #expect(try verdict == .damaged(.unmarked))
    try ScratchFolder.write([1, 2, 3], to: path)
    #expect(try verdict == .damaged(.markUnreadable))

    let journal = try state.openJournal(SampleRuns.id)

    guard case .damaged(.short) = try verdict else {
      Issue.record("the loss has to be journaled first")
      return
    }
    try await journal.append([.endLost(SampleRuns.timestamp(1))], durably: true)
    #expect(try verdict == .whole)
    try await journal.close()
  }

  @Test func `a journal without its log and its mark is empty and damaged`()
    async throws
  {
    try await state.createJournal(for: SampleRuns.id).close()
    unlink(scratch.path + "/intents/\(SampleRuns.id)")
    unlink(state.journalPath(SampleRuns.id))
    try ScratchFolder.write([], to: state.journalPath(SampleRuns.id))
    // Without the mark, the start of the run is not copied into the main file.
    let journal = try SQLiteJournal(path: state.journalPath(SampleRuns.id), mark: nil)
    try await journal.append(SampleRuns.succeeded, durably: true)
    let main = try contents(of: state.journalPath(SampleRuns.id))
    try await journal.close()
    try ScratchFolder.write(main, to: state.journalPath(SampleRuns.id))

    #expect(try verdict == .damaged(.empty))
    #expect(!JournalEvidence.Damage.empty.hasReadableStart)
  }

  @Test func `a mark is synced for writes, and written for everything durable`() async throws {
    let journal = try await killed()
    let path = scratch.path + "/intents/\(SampleRuns.id)"
    #expect(try IntentFile.mark(at: path)?.entry == 5)
    try await journal.append([.endLost(SampleRuns.timestamp(1))], durably: false)
    #expect(try IntentFile.mark(at: path)?.entry == 5)
    try await journal.append([.endLost(SampleRuns.timestamp(1))], durably: true)
    #expect(try IntentFile.mark(at: path)?.entry == 7)
    try await journal.close()
  }
}
