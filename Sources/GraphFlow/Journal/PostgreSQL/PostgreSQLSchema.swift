/// The tables of a database that keeps runs, and their versions.
///
/// `graphflow state migrate` applies what a database lacks, in one transaction. A command needs
/// `USAGE` of the schema, and `SELECT`, `INSERT`, `UPDATE` and `DELETE` on its tables; only the
/// migration needs `CREATE`.
package enum PostgreSQLSchema {
  /// The statements that lead from one version to the next; those of a release never change.
  static let migrations = [
    """
    CREATE TABLE graphflow.settings (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      version bigint NOT NULL,
      lease interval NOT NULL DEFAULT '15 seconds'
        CHECK (lease BETWEEN '1 second' AND '1 hour')
    );
    INSERT INTO graphflow.settings (version) VALUES (0);
    CREATE TABLE graphflow.sessions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      host text NOT NULL,
      renewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE graphflow.locks (
      name text PRIMARY KEY,
      session bigint REFERENCES graphflow.sessions ON DELETE SET NULL,
      last_run text
    );
    CREATE INDEX ON graphflow.locks (session) WHERE session IS NOT NULL;
    CREATE TABLE graphflow.runs (
      id text PRIMARY KEY,
      session bigint REFERENCES graphflow.sessions ON DELETE SET NULL,
      lock_name text,
      key_name text,
      file bytea
    );
    CREATE INDEX ON graphflow.runs (session) WHERE session IS NOT NULL;
    CREATE TABLE graphflow.entries (
      run text REFERENCES graphflow.runs ON DELETE CASCADE,
      number bigint,
      json text NOT NULL,
      body bytea,
      checksum bigint NOT NULL,
      PRIMARY KEY (run, number)
    );
    CREATE TABLE graphflow.quota (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      snapshot text NOT NULL
    );
    """,
    "CREATE TABLE graphflow.windows \(BookmarkFile.columns);\n",
  ]

  /// The version of the tables that this version of graphflow uses.
  package static var version: Int { migrations.count }

  /// The version of a database; 0 without tables.
  static func version(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    let found = try connection.execute("SELECT to_regclass('graphflow.settings') IS NOT NULL")
    guard found.rows.first?[0] == [1] else { return 0 }
    let rows = try connection.execute("SELECT version FROM graphflow.settings").rows
    return rows.first?.integer(0).map { Int($0) } ?? 0
  }

  /// Applies the migrations that a database lacks; returns its version before.
  static func migrate(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    try connection.command("BEGIN")
    // Two migrations at once would both see the old version.
    try connection.execute("SELECT pg_advisory_xact_lock(hashtext('graphflow')::bigint)")
    let old = try version(of: connection)
    if old == 0 { try connection.command("CREATE SCHEMA IF NOT EXISTS graphflow") }
    for migration in migrations.dropFirst(old) {
      for statement in migration.split(separator: ";\n") {
        try connection.command(String(statement), within: .seconds(600))
      }
    }
    try connection.command("UPDATE graphflow.settings SET version = \(max(old, migrations.count))")
    try connection.command("COMMIT")
    return old
  }
}
