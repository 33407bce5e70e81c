/// Runs in a PostgreSQL database that several hosts share.
///
/// A run that is killed on one host can be continued on another one. Locks have a lease
/// (``PostgreSQLSession``): a host that was cut off, or stopped, for longer than its lease sends nothing
/// more once another host has taken over.
package struct PostgreSQLStore: StateStore {
  private let session: PostgreSQLSession

  /// Connects to a database that has the tables.
  ///
  /// - Throws: `unavailable`, `misconfigured`, `otherVersion` or `foreign`.
  package init(_ address: PostgreSQLAddress) throws(JournalError) {
    session = try PostgreSQLSession(address)
  }

  /// Creates the tables of a database, or migrates them; returns the version before and now.
  ///
  /// - Throws: `unavailable`; `foreign` without the privilege to create them; `otherVersion` if a later
  ///   version of graphflow has migrated them.
  package static func migrate(
    _ address: PostgreSQLAddress
  ) throws(JournalError) -> (old: Int, new: Int) {
    let version: Int
    do throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(address, within: .seconds(10))
      let old = try PostgreSQLSchema.migrate(connection)
      if old <= PostgreSQLSchema.version { return (old, PostgreSQLSchema.version) }
      version = old
    } catch {
      throw JournalError(error, at: address)
    }
    throw JournalError(version: version, of: address)
  }

  /// What `graphflow state check` shows.
  package struct Facts: Sendable {
    package let server: String
    package let isEncrypted: Bool
    package let lease: Duration
    package let runs: Int64
    package let active: Int64
    /// The first privilege that the user lacks.
    package let missingPrivilege: String?
    /// Whether what was committed survives a crash of the server.
    package let syncs: Bool
  }

  package func facts() throws(JournalError) -> Facts {
    let lease = session.duration
    return try session.use { use in
      let server = try use.connection.execute(
        """
        SELECT current_setting('server_version'),
          coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)::int::bigint,
          (current_setting('fsync')::bool AND current_setting('full_page_writes')::bool)::int::bigint
        """
      ).rows.first
      let counts = try use.connection.execute(
        """
        SELECT (SELECT count(*) FROM graphflow.runs),
          (SELECT count(*) FROM graphflow.runs JOIN graphflow.sessions ON sessions.id = session,
            graphflow.settings WHERE renewed_at >= clock_timestamp() - settings.lease)
        """
      ).rows.first
      let missing = try use.connection.execute(
        """
        SELECT privilege || ' ON graphflow.' || tables.name
        FROM unnest(ARRAY['sessions', 'locks', 'runs', 'entries', 'quota', 'windows']) AS tables (name),
          unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
        WHERE NOT has_table_privilege('graphflow.' || tables.name, privilege) LIMIT 1
        """
      ).rows.first
      return Facts(
        server: server?.text(0) ?? "", isEncrypted: server?.integer(1) == 1, lease: lease,
        runs: counts?.integer(0) ?? 0, active: counts?.integer(1) ?? 0,
        missingPrivilege: missing?.text(0), syncs: server?.integer(2) == 1)
    }
  }

  package var place: String { session.address.place }
  package var releaseDelay: Duration { session.duration + .seconds(2) }
  package var holdsLocks: Bool { session.holdsLocks }

  package func runs() throws(JournalError) -> [RunID] {
    try ids("SELECT id FROM graphflow.runs ORDER BY id DESC")
  }

  package func createJournal(
    for id: RunID, named names: RunNames
  ) throws(JournalError) -> PostgreSQLJournal {
    try session.use { use in
      // If the answer to an earlier try was lost, the row is there already.
      _ = try use.connection.execute(
        """
        INSERT INTO graphflow.runs (id, session, lock_name, key_name) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """,
        [
          .text("\(id)"), use.session.map { .integer($0) } ?? .null,
          names.lock.map { .text($0) } ?? .null, names.key.map { .text($0) } ?? .null,
        ])
    }
    let journal = PostgreSQLJournal(id, in: session)
    guard try reading(id).firstAndLastEvents().first == nil else {
      throw JournalError(.cannotCreate, path: place, message: "the run \(id) exists already")
    }
    return journal
  }

  package func openJournal(
    _ id: RunID, named names: RunNames
  ) throws(JournalError) -> PostgreSQLJournal {
    try require(id)
    return PostgreSQLJournal(id, in: session)
  }

  package func reading(_ id: RunID) throws(JournalError) -> JournalReading {
    try require(id)
    return JournalReading(PostgreSQLRows(id, in: session))
  }

  package func lock(file: String, profile: String) throws(JournalError) -> PostgreSQLLock? {
    try PostgreSQLLock(.name, StateDirectory.name(ofLock: file, profile), in: session)
  }

  package func lock(key: String, of file: String) throws(JournalError) -> PostgreSQLLock? {
    try PostgreSQLLock(.name, StateDirectory.name(ofKey: key, of: file), in: session)
  }

  package func lock(_ id: RunID) throws(JournalError) -> PostgreSQLLock? {
    try PostgreSQLLock(.run, "\(id)", in: session)
  }

  package func isActive(_ id: RunID) -> Bool {
    let sql = """
      SELECT FROM graphflow.runs JOIN graphflow.sessions ON sessions.id = runs.session, graphflow.settings
      WHERE runs.id = $1 AND sessions.renewed_at >= clock_timestamp() - settings.lease
      """
    return (try? session.use { try !$0.connection.execute(sql, [.text("\(id)")]).rows.isEmpty })
      ?? false
  }

  /// The request is a lock without an owner, which is removed with its run if nobody takes it.
  package func requestStop(of id: RunID) throws(JournalError) {
    try session.use { use in
      _ = try use.connection.execute(
        "INSERT INTO graphflow.locks (name, last_run) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [.text("stop \(id)"), .text("\(id)")])
    }
  }

  package func takeStopRequest(of id: RunID) -> Bool {
    let sql = "DELETE FROM graphflow.locks WHERE name = $1"
    let changed = try? session.use { try $0.connection.execute(sql, [.text("stop \(id)")]).changed }
    return changed == 1
  }

  /// The database itself is the evidence: it loses no entry that it has synced.
  package func evidenceUnlessPruned(of id: RunID) throws(JournalError) -> JournalEvidence? {
    guard try exists(id) else { return nil }
    let rows = PostgreSQLRows(id, in: session)
    guard let last = try rows.last(containing: nil) else {
      return JournalEvidence(
        mark: .reached(entry: 0, checksum: 0), journal: .entries(last: 0, checksumAtMark: nil))
    }
    return JournalEvidence(
      mark: .reached(entry: last.number, checksum: last.checksum),
      journal: .entries(last: last.number, checksumAtMark: last.checksum))
  }

  package func runs(
    after start: RunID?, where isNamed: (RunNames) -> Bool, orStarted isMeant: (RunStart) -> Bool
  ) throws(JournalError) -> [RunID] {
    let rows = try session.use { use in
      try use.connection.execute(
        "SELECT id, lock_name, key_name FROM graphflow.runs WHERE id > $1 ORDER BY id DESC",
        [.text(start?.description ?? "")]
      ).rows
    }
    return rows.filter { isNamed(RunNames(lock: $0.text(1), key: $0.text(2))) }
      .compactMap { $0.text(0).flatMap { RunID($0) } }
  }

  /// A run without its entries was pruned.
  package func lostRuns() throws(JournalError) -> [RunID] { [] }
  package func isLost(_ id: RunID) -> Bool { false }

  package func remove(_ id: RunID) throws(JournalError) {
    try session.use { use in
      _ = try use.connection.execute(
        "DELETE FROM graphflow.runs WHERE id = $1", [.text("\(id)")], within: .seconds(60))
    }
  }

  /// Deletes the keys whose runs were removed; a lock of a file is used again.
  package func removeLeftovers() throws(JournalError) {
    try session.use { use in
      _ = try use.connection.execute(
        """
        DELETE FROM graphflow.locks WHERE session IS NULL AND last_run IS NOT NULL
          AND NOT EXISTS (SELECT FROM graphflow.runs WHERE id = last_run)
        """)
    }
  }

  package func keepFile(of id: RunID, _ read: () -> [UInt8]?) throws(JournalError) {
    guard let file = read() else { return }
    try session.use { use in
      _ = try use.connection.execute(
        "UPDATE graphflow.runs SET file = $2 WHERE id = $1", [.text("\(id)"), .bytes(file)])
    }
  }

  package func keptFile(of id: RunID) throws(JournalError) -> [UInt8]? {
    try session.use { use in
      try use.connection.execute(
        "SELECT file FROM graphflow.runs WHERE id = $1", [.text("\(id)")]
      ).rows.first?[0]
    }
  }

  package func quota(warn: @escaping @Sendable (String) -> Void) -> any QuotaStore {
    PostgreSQLQuota(session: session, warn: warn)
  }

  package var bookmarks: BookmarkStore {
    BookmarkStore(table: PostgreSQLBookmarks(session: session))
  }

  private func exists(_ id: RunID) throws(JournalError) -> Bool {
    try !ids("SELECT id FROM graphflow.runs WHERE id = $1", .text("\(id)")).isEmpty
  }

  private func require(_ id: RunID) throws(JournalError) {
    guard try exists(id) else {
      throw JournalError(.notFound, path: place, message: "there is no run \(id)")
    }
  }

  private func ids(
    _ sql: String, _ values: PostgreSQLConnection.Value...
  ) throws(JournalError) -> [RunID] {
    try session.use { use in
      try use.connection.execute(sql, values).rows.compactMap {
        $0.text(0).flatMap { RunID($0) }
      }
    }
  }
}

/// What the hosts know of Graph's limits, as one row.
///
/// It is replaced only if it is still what was read: a host that is stopped in between holds no lock
/// that others would wait for.
private struct PostgreSQLQuota: QuotaStore {
  private static let attempts = 5
  let session: PostgreSQLSession
  let warn: @Sendable (String) -> Void

  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot? {
    do throws(JournalError) {
      return try session.use { use in
        for _ in 0..<PostgreSQLQuota.attempts {
          let rows = try use.connection.execute("SELECT snapshot FROM graphflow.quota").rows
          let old = rows.first?[0]
          var snapshot = old.map(parsed) ?? QuotaSnapshot()
          guard !changes.isEmpty else { return snapshot }
          snapshot.merge(changes, at: now)
          snapshot.prune(at: now)
          if try replace(old, by: snapshot.json, use) { return snapshot }
        }
        return nil
      }
    } catch {
      return nil
    }
  }

  private func replace(
    _ old: [UInt8]?, by new: [UInt8], _ use: PostgreSQLSession.Use
  ) throws -> Bool {
    guard let old else {
      return try use.connection.execute(
        "INSERT INTO graphflow.quota (snapshot) VALUES ($1) ON CONFLICT DO NOTHING", [.text(new)]
      ).changed == 1
    }
    return try use.connection.execute(
      "UPDATE graphflow.quota SET snapshot = $1 WHERE snapshot = $2", [.text(new), .text(old)]
    ).changed == 1
  }

  private func parsed(_ json: [UInt8]) -> QuotaSnapshot {
    do throws(EventDecodingError) {
      return try QuotaSnapshot(json: json)
    } catch {
      warn("the stored quota is ignored: \(error.message)")
      return QuotaSnapshot()
    }
  }
}
