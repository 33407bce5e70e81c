import TestSupport
import Testing

@testable import GraphFlow

/// What only a database has to promise: leases, connections that break, versions and privileges.
@Suite(.needsPostgreSQL)
struct PostgreSQLStoreTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  private func store() throws -> PostgreSQLStore { try PostgreSQLStore(database.address) }

  private static let events = SampleRuns.succeeded

  /// A host that renews nothing, as one that was stopped; its lease has expired.
  private func expireLeases() throws {
    try database.execute(
      "UPDATE graphflow.sessions SET renewed_at = renewed_at - interval '1 hour'")
  }

  @Test func `a host whose run was taken over stores nothing more`() async throws {
    let (one, other) = (try store(), try store())
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    let file = try one.lock(file: "a.yaml", profile: "p")
    try await journal.append(Self.events, durably: true)
    #expect(try other.lock(SampleRuns.id) == nil)

    try expireLeases()
    let taken = try other.lock(SampleRuns.id)
    #expect(taken != nil)
    // The whole session has ended: its other locks are free, too.
    #expect(try other.lock(file: "a.yaml", profile: "p") != nil)
    let error = await #expect(throws: JournalError.self) {
      try await journal.append(Self.events, durably: true)
    }
    #expect(error?.kind == .lockLost)
    #expect(throws: JournalError.self) { try file?.record(SampleRuns.id) }
    let second = try other.openJournal(SampleRuns.id, named: RunNames())
    try await second.append(Self.events, durably: true)
    #expect(try other.reading(SampleRuns.id).events() == Self.events + Self.events)
    withExtendedLifetime((lock, taken)) {}
  }

  @Test func `a lease that nobody has taken over is renewed, also after it has expired`()
    async throws
  {
    try database.execute("UPDATE graphflow.settings SET lease = '5 seconds'")
    let one = try store()
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    try expireLeases()
    try await journal.append(Self.events, durably: true)
    // Longer than the lease: it is renewed meanwhile.
    try await Task.sleep(for: .seconds(7))
    #expect(one.holdsLocks)
    #expect(try store().lock(SampleRuns.id) == nil)
    try await journal.append(Self.events, durably: true)
    withExtendedLifetime(lock) {}
  }

  @Test func `without a renewal nothing may be sent after the lease`() async throws {
    try database.execute("UPDATE graphflow.settings SET lease = '2 seconds'")
    let one = try store()
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    try await journal.append(Self.events, durably: true)
    // Renewals wait for this row, as if the server did not answer.
    let other = try PostgreSQLConnection(database.address, within: .seconds(10))
    try other.command("BEGIN")
    try other.execute("SELECT FROM graphflow.sessions FOR UPDATE")
    try await Task.sleep(for: .seconds(3))
    #expect(!one.holdsLocks)
    try other.command("ROLLBACK")
    withExtendedLifetime(lock) {}
  }

  /// `make try-postgres` also cuts them in the middle of a statement.
  @Test func `connections that break lose no entry and store none twice`() async throws {
    // Longer leases: what is tested is the connection.
    try database.execute("UPDATE graphflow.settings SET lease = '5 minutes'")
    let one = try store()
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    var expected: [RunEvent] = []
    for number in 1...100 {
      if number % 3 != 0 { try terminate() }
      let event = RunEvent.runResumed(SampleRuns.timestamp(Int64(number)))
      try await journal.append([event], durably: number % 5 == 0)
      expected.append(event)
    }
    #expect(try one.reading(SampleRuns.id).events() == expected)
    withExtendedLifetime(lock) {}
  }

  @Test func `entries that a crash of the server has lost are appended again`() async throws {
    let one = try store()
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    let events = (0..<5).map { RunEvent.runResumed(SampleRuns.timestamp(Int64($0))) }
    try await journal.append([events[0]], durably: true)
    for event in events[1...3] { try await journal.append([event], durably: false) }
    // What is not synced may be gone after a crash, from some entry on.
    try database.execute("DELETE FROM graphflow.entries WHERE number > 2")
    try terminate()
    try await journal.append([events[4]], durably: true)
    #expect(try one.reading(SampleRuns.id).events() == events)

    // What was synced cannot be lost; if it is, the run must not continue.
    try database.execute("DELETE FROM graphflow.entries WHERE number > 3")
    try terminate()
    let error = await #expect(throws: JournalError.self) {
      try await journal.append([events[4]], durably: true)
    }
    #expect(error?.kind == .damaged)
    withExtendedLifetime(lock) {}
  }

  private func terminate() throws {
    try database.execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  @Test func `a changed or missing entry is damage`() async throws {
    let one = try store()
    let journal = try one.createJournal(for: SampleRuns.id, named: RunNames())
    let lock = try one.lock(SampleRuns.id)
    for event in Self.events { try await journal.append([event], durably: true) }
    for change in [
      "UPDATE graphflow.entries SET json = replace(json, 'e', 'E') WHERE number = 2",
      "DELETE FROM graphflow.entries WHERE number = 2",
    ] {
      try database.execute(change)
      let error = #expect(throws: JournalError.self) { try one.reading(SampleRuns.id).events() }
      #expect(error?.kind == .damaged, "\(change)")
    }
    withExtendedLifetime(lock) {}
  }

  @Test func `tables of another version are refused`() throws {
    try database.execute("UPDATE graphflow.settings SET version = 99")
    #expect(throws: JournalError.self) { try store() }
    let later = #expect(throws: JournalError.self) { try PostgreSQLStore.migrate(database.address) }
    #expect(later?.kind == .otherVersion)
    try database.execute("DROP SCHEMA graphflow CASCADE")
    let missing = #expect(throws: JournalError.self) { try store() }
    #expect(missing?.kind == .misconfigured)
    #expect(try PostgreSQLStore.migrate(database.address) == (0, PostgreSQLSchema.version))
    #expect(try store().runs().isEmpty)
  }

  @Test func `two migrations at once leave one schema`() async throws {
    try database.execute("DROP SCHEMA graphflow CASCADE")
    let address = database.address
    let olds = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 { group.addTask { try PostgreSQLStore.migrate(address).old } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(olds.sorted() == [0, PostgreSQLSchema.version])
  }

  @Test func `the facts name the lease and what the user may not do`() throws {
    let facts = try store().facts()
    #expect(facts.lease == .seconds(60))
    #expect(facts.missingPrivilege == nil)
    #expect(facts.syncs)
    #expect((facts.runs, facts.active) == (0, 0))
    let role = "reader_\(UInt32.random(in: 0...UInt32.max))"
    try database.execute("CREATE ROLE \(role) LOGIN")
    defer { _ = try? database.execute("DROP OWNED BY \(role)") }
    try database.execute("GRANT USAGE ON SCHEMA graphflow TO \(role)")
    try database.execute("GRANT SELECT ON ALL TABLES IN SCHEMA graphflow TO \(role)")
    let address = try PostgreSQLAddress(
      database.text.replacing("graphflow@", with: "\(role)@"), environment: [:])
    let reader = try PostgreSQLStore(address)
    #expect(try reader.facts().missingPrivilege == "INSERT ON graphflow.sessions")
    let error = #expect(throws: JournalError.self) { _ = try reader.lock(key: "k", of: "a") }
    #expect(error?.kind == .foreign)
  }
}

/// Addresses of databases; libpq parses them.
@Suite(.needsPostgreSQL)
struct PostgreSQLAddressTests {
  private func options(
    _ text: String, _ environment: [String: String] = ["HOME": "/nonexistent"]
  ) throws -> [String: String] {
    let address = try PostgreSQLAddress(text, environment: environment)
    return Dictionary(address.options.map { ($0.name, $0.value) }) { _, last in last }
  }

  @Test func `a host that is not local must have a certificate, unless the user says otherwise`()
    throws
  {
    #expect(try options("postgresql://db.example/x")["sslmode"] == "verify-full")
    #expect(try options("postgresql://db.example/x")["sslrootcert"] != nil)
    for local in ["localhost", "127.0.0.1", "[::1]", "", "%2Frun%2Fpostgresql"] {
      #expect(try options("postgresql://\(local)/x")["sslmode"] == nil, "\(local)")
    }
    #expect(try options("postgresql://localhost,db.example/x")["sslmode"] == "verify-full")
    // What the address or the environment says is left to libpq.
    #expect(try options("postgresql://db.example/x?sslmode=require")["sslmode"] == nil)
    #expect(try options("postgresql://db.example/x", ["PGSSLMODE": "disable"])["sslmode"] == nil)
    #expect(try options("postgresql:///x", ["PGHOST": "db.example"])["sslmode"] == "verify-full")
  }

  @Test func `messages show no user and no password`() throws {
    let address = try PostgreSQLAddress(
      "postgresql://alex:se%20cret@db.example:5433/runs?sslmode=require", environment: [:])
    #expect(address.place == "postgresql://db.example:5433/runs")
    #expect(address.password == "se cret")
    let error = #expect(throws: JournalError.self) {
      try PostgreSQLAddress("postgresql://alex:secret@db.example:5433/x?no=1", environment: [:])
    }
    #expect(error?.description.contains("secret") == false)
    #expect(error?.kind == .misconfigured)
  }
}
