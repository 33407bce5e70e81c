/// A lock in a database, until the value is destroyed, the process ends, or its lease is taken over.
package final class PostgreSQLLock: StateLock {
  /// What a lock is for, and where it is.
  enum Kind: String {
    /// A workflow file with a profile, or a run key: a row of `locks`.
    case name
    /// A run: its own row.
    case run

    private var table: String { self == .name ? "locks" : "runs" }
    private var column: String { self == .name ? "name" : "id" }

    /// The lock within this process.
    func key(_ name: String) -> String { "\(rawValue) \(name)" }

    /// Ends the session that holds the lock, if its lease has expired.
    var eviction: String {
      """
      DELETE FROM graphflow.sessions AS session USING graphflow.\(table) AS held, graphflow.settings
      WHERE held.\(column) = $1 AND held.session = session.id
        AND session.renewed_at < clock_timestamp() - settings.lease
      """
    }

    /// Returns a row if this session has the lock then; repeating it changes nothing.
    var acquisition: String {
      switch self {
      case .name:
        """
        INSERT INTO graphflow.locks AS held (name, session) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET session = $2
          WHERE held.session IS NULL OR held.session = $2
        RETURNING last_run
        """
      case .run:
        """
        UPDATE graphflow.runs SET session = $2
        WHERE id = $1 AND (session IS NULL OR session = $2)
        RETURNING NULL::text
        """
      }
    }

    var release: String {
      "UPDATE graphflow.\(table) SET session = NULL WHERE \(column) = $1 AND session = $2"
    }
  }

  package let name: String
  package let lastRun: LastRun
  private let kind: Kind
  private let session: PostgreSQLSession

  /// Locks something; nil if another process holds the lock, or there is no such run.
  init?(_ kind: Kind, _ name: String, in session: PostgreSQLSession) throws(JournalError) {
    guard let row = try session.lock(kind, name) else { return nil }
    lastRun = row.text(0).flatMap { RunID($0) }.map(LastRun.run) ?? .unknown
    (self.kind, self.name, self.session) = (kind, name, session)
  }

  deinit { session.unlock(kind, name) }

  package func record(_ run: RunID) throws(JournalError) {
    let changed = try session.use { use in
      try use.connection.execute(
        "UPDATE graphflow.locks SET last_run = $3 WHERE name = $1 AND session = $2",
        [.text(name), use.session.map { .integer($0) } ?? .null, .text("\(run)")]
      ).changed
    }
    guard changed == 1 else { throw JournalError(lostAt: session.address) }
  }
}
