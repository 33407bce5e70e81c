import TestSupport
import Testing

@testable import GraphFlow

@Suite
struct SQLiteJournalTests {
  /// Where a journal is stored.
  enum Place: CaseIterable {
    case memory
    case file
  }

  @Test(arguments: Place.allCases)
  func `events come back in order, all of them`(place: Place) async throws {
    let scratch = try ScratchFolder()
    let journal = try self.journal(place, in: scratch)
    let events = HostileEvents.all
    try await journal.append([], durably: true)
    for (index, event) in events.enumerated() {
      try await journal.append(
        [event, .runResumed(SampleRuns.timestamp(1))], durably: index % 3 == 0)
    }
    let copies = try await journal.events()
    #expect(copies == events.flatMap { [$0, .runResumed(SampleRuns.timestamp(1))] })
    try await journal.close()
    await #expect(throws: JournalError.self) { try await journal.append(events, durably: true) }
  }

  @Test
  func `a journal that is opened again continues at its end`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let events = HostileEvents.all
    let first = try state.createJournal(for: SampleRuns.id)
    try await first.append(events, durably: false)
    try await first.close()
    let second = try state.openJournal(SampleRuns.id)
    try await second.append(events, durably: true)
    let third = try state.openJournal(SampleRuns.id)
    #expect(try await third.events() == events + events)
    try await second.close()
    try await third.close()
  }

  @Test func `a long log is copied into the file, and starts again`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let journal = try state.createJournal(for: SampleRuns.id)
    let body = [UInt8](repeating: 0x20, count: 4 << 20)
    let event = RunEvent.requestEnded(RequestEnd(request: 0, status: .succeeded, body: body))
    for _ in 0..<6 { try await journal.append([event], durably: false) }

    let path = state.journalPath(SampleRuns.id)
    #expect(try contents(of: path).count >= 16 << 20)
    #expect(try contents(of: path + "-wal").count < 16 << 20)
    try await journal.append([event], durably: true)
    try await journal.close()
    let again = try state.openJournal(SampleRuns.id)
    #expect(try await again.events() == Array(repeating: event, count: 7))
    try await again.close()
  }

  @Test func `a durable append is synced, another one waits for it`() async throws {
    let scratch = try ScratchFolder()
    let journal = try self.journal(.file, in: scratch)
    for durably in [false, true, true, false, true] {
      try await journal.append([.runResumed(SampleRuns.timestamp(1))], durably: durably)
      #expect(try journal.syncsCommits == durably)
    }
    try await journal.close()
  }

  @Test func `nothing is written after a failure`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let event = RunEvent.runResumed(SampleRuns.timestamp(1))
    let first = try state.createJournal(for: SampleRuns.id)
    try await first.append([event], durably: true)
    let second = try state.openJournal(SampleRuns.id)
    try await second.append([event], durably: true)
    for _ in 0..<3 {
      let error = await #expect(throws: JournalError.self) {
        try await first.append([event], durably: true)
      }
      #expect(error?.kind == .cannotWrite)
    }
    try await second.append([event], durably: true)
    #expect(try await second.events().count == 3)
    try await first.close()
    try await second.close()
  }

  private func journal(_ place: Place, in scratch: ScratchFolder) throws -> SQLiteJournal {
    switch place {
    case .memory: try SQLiteJournal.inMemory()
    case .file: try StateDirectory(path: scratch.path).createJournal(for: SampleRuns.id)
    }
  }
}
