import ArgumentParser
import GraphFlow

/// `graphflow state`: what is kept between runs, and the database that several hosts share.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Show which windows of days were read, and prepare a database for several hosts.",
    discussion: """
      A group whose windows have a `state` keeps which of them were read: list and show show them, \
      reset and set change them.

      Runs are kept in a folder, which needs nothing. With --state, or GRAPHFLOW_STATE, they are kept \
      in a PostgreSQL database instead: a run that is killed on one host can be continued on another \
      one, and two hosts never do the same work.

      Example: create the tables, then run on any host:

        export GRAPHFLOW_STATE=postgresql://graphflow@db.example/graphflow
        graphflow state migrate
        graphflow run post-and-verify.yaml
      """,
    subcommands: [
      StateListCommand.self, StateShowCommand.self, StateResetCommand.self, StateSetCommand.self,
      StateMigrateCommand.self, StateCheckCommand.self,
    ])
}

/// `graphflow state migrate`: creates or updates the tables.
struct StateMigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Create the tables of a database, or update them.",
    discussion: """
      It needs the privilege to create a schema, or one named graphflow that belongs to the user. A \
      database that is up to date is not changed.

      Example:

        graphflow state migrate --state postgresql://owner@db.example/graphflow
      """)

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let address = try state.requiredAddress()
    let (old, new) = try PostgreSQLStore.migrate(address)
    try Terminal.printResult(
      old == new
        ? "\(address.place) has version \(new) already"
        : "\(address.place) has version \(new) now" + (old == 0 ? "" : ", and had \(old)"))
  }
}

/// `graphflow state check`: whether a database can keep runs.
struct StateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that a database can keep runs.",
    discussion: """
      It checks the connection, the version of the tables, the privileges of the user, and that the \
      server syncs what it stores. It changes nothing.

      Example:

        graphflow state check --state postgresql://graphflow@db.example/graphflow
      """)

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try PostgreSQLStore(state.requiredAddress())
    let facts = try store.facts()
    try Terminal.printResult(
      """
      \(store.place)
      server   PostgreSQL \(Untrusted.shown(facts.server)), \(facts.isEncrypted ? "TLS" : "no TLS")
      tables   version \(PostgreSQLSchema.version), leases of \(facts.lease.components.seconds) s
      runs     \(facts.runs) kept, \(facts.active) active
      """)
    if let privilege = facts.missingPrivilege {
      throw CommandFailure(
        .notPermitted, "the user of the database lacks a privilege: \(privilege)",
        hint: "as the owner of the tables: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN "
          + "SCHEMA graphflow TO …")
    }
    guard facts.syncs else {
      throw CommandFailure(
        .misconfigured,
        "the server does not sync what it stores (fsync or full_page_writes is off)",
        hint:
          "after a crash of the server, a write that was sent could be missing, and be sent again")
    }
  }
}
