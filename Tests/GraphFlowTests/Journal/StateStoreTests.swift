import GraphAPI
import TestSupport
import Testing

@testable import GraphFlow

/// What every store of runs promises, whatever it is made of.
struct StateStoreTests {
  enum Kind: CaseIterable {
    case folder, database

    /// The kinds that this machine has.
    static var available: [Kind] { TestDatabase.isAvailable ? allCases : [.folder] }
  }

  /// The same place, opened by two hosts.
  private struct Hosts {
    let one: any StateStore
    let other: any StateStore
    private let scratch: ScratchFolder
    private let database: TestDatabase?

    init(_ kind: Kind) throws {
      scratch = try ScratchFolder()
      switch kind {
      case .folder:
        database = nil
        one = StateDirectory(path: scratch.path)
        other = StateDirectory(path: scratch.path)
      case .database:
        let database = try TestDatabase()
        self.database = database
        one = try PostgreSQLStore(database.address)
        other = try PostgreSQLStore(database.address)
      }
    }
  }

  @Test(.needsPostgreSQL) func `the database is tested, too`() {
    #expect(Kind.available == Kind.allCases)
  }

  @Test(arguments: Kind.available)
  func `events come back in order, all of them, on another host`(kind: Kind) async throws {
    let hosts = try Hosts(kind)
    let events = HostileEvents.all
    let journal = try hosts.one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try hosts.one.lock(SampleRuns.id)
    #expect(lock != nil)
    try await journal.append([], durably: true)
    for (index, event) in events.enumerated() {
      try await journal.append([event], durably: index % 3 == 0)
    }
    let reading = try hosts.other.reading(SampleRuns.id)
    #expect(try reading.events() == events)
    let (later, last) = try reading.events(after: 2)
    #expect(later == Array(events.dropFirst(2)))
    #expect(last == Int64(events.count))
    #expect(try reading.events(after: last).events.isEmpty)
    try await journal.close()
    await #expect(throws: JournalError.self) { try await journal.append(events, durably: true) }
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: Kind.available)
  func `a run is continued on another host after its own has given it back`(
    kind: Kind
  ) async throws {
    let hosts = try Hosts(kind)
    let events = SampleRuns.succeeded
    var lock = try hosts.one.lock(SampleRuns.id)
    #expect(lock == nil)
    let first = try hosts.one.createJournal(for: SampleRuns.id, named: RunNames())
    lock = try hosts.one.lock(SampleRuns.id)
    try await first.append(events, durably: true)
    #expect(try hosts.other.lock(SampleRuns.id) == nil)
    #expect(hosts.other.isActive(SampleRuns.id))
    try await first.close()
    lock = nil

    #expect(!hosts.other.isActive(SampleRuns.id))
    let other = try hosts.other.lock(SampleRuns.id)
    #expect(other != nil)
    let second = try hosts.other.openJournal(SampleRuns.id, named: RunNames())
    #expect(try await second.events() == events)
    try await second.append(events, durably: true)
    #expect(try hosts.one.reading(SampleRuns.id).events() == events + events)
    withExtendedLifetime((lock, other)) {}
  }

  @Test(arguments: Kind.available)
  func `a run finds once that another host wants it to stop`(kind: Kind) throws {
    let hosts = try Hosts(kind)
    _ = try hosts.one.createJournal(for: SampleRuns.id, named: RunNames())
    #expect(!hosts.one.takeStopRequest(of: SampleRuns.id))
    try hosts.other.requestStop(of: SampleRuns.id)
    try hosts.other.requestStop(of: SampleRuns.id)
    #expect(hosts.one.takeStopRequest(of: SampleRuns.id))
    #expect(!hosts.one.takeStopRequest(of: SampleRuns.id))

    try hosts.other.requestStop(of: SampleRuns.id)
    try hosts.one.remove(SampleRuns.id)
    try hosts.one.removeLeftovers()
    #expect(!hosts.one.takeStopRequest(of: SampleRuns.id))
  }

  @Test(arguments: Kind.available)
  func `a reading finds ends, starts, doubt and resumptions`(kind: Kind) async throws {
    let hosts = try Hosts(kind)
    let events = SampleRuns.succeeded
    let journal = try hosts.one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try hosts.one.lock(SampleRuns.id)
    let reading = try hosts.other.reading(SampleRuns.id)
    #expect(try reading.firstAndLastEvents() == (nil, nil))
    #expect(try reading.start() == nil)
    for event in events { try await journal.append([event], durably: false) }
    #expect(try reading.firstAndLastEvents() == (events.first, events.last))
    #expect(try reading.start()?.id == SampleRuns.id)
    #expect(try !reading.mayContainDoubt())
    #expect(try !reading.wasResumed())
    #expect(try !reading.hasChangedFile())
    let added: [RunEvent] = [
      .runResumed(SampleRuns.timestamp(1)), .endLost(SampleRuns.timestamp(2)), events[0],
    ]
    try await journal.append(added, durably: true)
    #expect(try reading.wasResumed())
    #expect(try reading.mayContainDoubt())
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: Kind.available)
  func `the evidence tells runs that never began from those that did`(kind: Kind) async throws {
    let hosts = try Hosts(kind)
    let journal = try hosts.one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try hosts.one.lock(SampleRuns.id)
    #expect(try hosts.other.evidenceUnlessPruned(of: SampleRuns.id)?.verdict == .neverBegan)
    try await journal.append(SampleRuns.succeeded, durably: true)
    #expect(try hosts.other.evidenceUnlessPruned(of: SampleRuns.id)?.verdict == .whole)
    #expect(try hosts.other.lostRuns().isEmpty)
    #expect(!hosts.other.isLost(SampleRuns.id))
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: Kind.available)
  func `a lock is held by one host at a time, and remembers its last run`(kind: Kind) throws {
    let hosts = try Hosts(kind)
    func locks(_ store: any StateStore) throws -> [(any StateLock)?] {
      [
        try store.lock(file: "a.yaml", profile: "default"),
        try store.lock(file: "a.yaml", profile: "other"), try store.lock(key: "k", of: "a.yaml"),
      ]
    }
    var held = try locks(hosts.one)
    #expect(held.allSatisfy { $0?.lastRun == .unknown })
    #expect(Set(held.map { $0?.name }).count == 3)
    #expect(try locks(hosts.one).allSatisfy { $0 == nil })
    #expect(try locks(hosts.other).allSatisfy { $0 == nil })
    #expect(hosts.one.holdsLocks)
    for lock in held { try lock?.record(SampleRuns.id) }
    held = []
    #expect(try locks(hosts.other).allSatisfy { $0?.lastRun == .run(SampleRuns.id) })
    #expect(try locks(hosts.one).allSatisfy { $0 != nil })
  }

  @Test(arguments: Kind.available)
  func `runs are found by their names and removed for ever`(kind: Kind) async throws {
    let hosts = try Hosts(kind)
    let ids = ["01JD4K4W00ABCDEFGHJKMNPQR0", "01JD4K4W00ABCDEFGHJKMNPQR1"].compactMap { RunID($0) }
    for (id, key) in zip(ids, ["a", "b"]) {
      let journal = try hosts.one.createJournal(for: id, named: RunNames(lock: "l", key: key))
      let lock = try hosts.one.lock(id)
      try await journal.append(SampleRuns.succeeded, durably: true)
      try await journal.close()
      withExtendedLifetime(lock) {}
    }
    #expect(throws: JournalError.self) {
      _ = try hosts.other.createJournal(for: ids[0], named: RunNames())
    }
    func found(after start: RunID? = nil, _ isNamed: (RunNames) -> Bool) throws -> [RunID] {
      try hosts.other.runs(after: start, where: isNamed) { _ in false }
    }
    #expect(try hosts.other.runs() == ids.reversed())
    #expect(try hosts.other.latest() == ids[1])
    #expect(try found { $0.lock == "l" } == ids.reversed())
    #expect(try found { $0.key == "a" } == [ids[0]])
    #expect(try found(after: ids[0]) { $0.lock == "l" } == [ids[1]])

    let lock = try hosts.one.lock(ids[0])
    try hosts.one.remove(ids[0])
    withExtendedLifetime(lock) {}
    try hosts.one.removeLeftovers()
    #expect(try hosts.other.runs() == [ids[1]])
    #expect(try hosts.other.evidenceUnlessPruned(of: ids[0]) == nil || kind == .folder)
    let error = #expect(throws: JournalError.self) { _ = try hosts.other.reading(ids[0]) }
    #expect(error?.kind == .notFound)
  }

  @Test(arguments: Kind.available)
  func `what one host learns of a limit, the other one knows`(kind: Kind) async throws {
    let hosts = try Hosts(kind)
    let quotas = [hosts.one, hosts.other].map { $0.quota { Issue.record("\($0)") } }
    let now = SampleRuns.timestamp(0)
    #expect(await quotas[0].exchange(QuotaSnapshot(), at: now) == QuotaSnapshot())
    var changes = QuotaSnapshot()
    var record = QuotaRecord()
    record.usage = 40
    (record.readAt, record.changedAt) = (now, now)
    changes.records[Fingerprint(of: try #require(AccessToken("EAAsecret")), at: .standard)] = record
    let merged = await quotas[0].exchange(changes, at: now)
    #expect(merged?.records.values.first?.usage == 40)
    #expect(await quotas[1].exchange(QuotaSnapshot(), at: now) == merged)
  }
}
