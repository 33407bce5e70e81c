import GraphFlow

extension StateOptions {
  /// Where runs are kept: the database of the option, else the folder of the other option, else
  /// those of the variables.
  func store() throws -> any StateStore {
    guard let address = try address() else { return directory }
    return try PostgreSQLStore(address)
  }

  /// Where the reports and rows of runs are kept, which is always a folder of this host.
  ///
  /// Beside a database they have a folder of their own, because a folder with runs has journals.
  var files: StateDirectory {
    isShared ? StateDirectory(path: "\(directory.path)/outputs") : directory
  }

  /// Whether other hosts may have run, too.
  var isShared: Bool { databaseText != nil }

  /// The address of the database.
  func requiredAddress() throws -> PostgreSQLAddress {
    if let address = try address() { return address }
    throw CommandFailure(
      .usage, "no database is named",
      hint: "give --state postgresql://HOST/DATABASE, or set "
        + "GRAPHFLOW_STATE; a folder needs neither migration nor check")
  }

  private var databaseText: String? {
    database ?? (path == nil ? Environment.value("GRAPHFLOW_STATE") : nil)
  }

  private func address() throws -> PostgreSQLAddress? {
    guard let text = databaseText else { return nil }
    let source = database == nil ? "GRAPHFLOW_STATE" : "--state"
    guard PostgreSQLAddress.isOne(text) else {
      throw CommandFailure(
        .usage, "\(source) is not the address of a database",
        hint: "an address begins with postgresql://; a folder is named with --state-dir")
    }
    let address = try PostgreSQLAddress(text, environment: Environment.variables())
    if let password = address.password {
      guard database == nil else {
        throw CommandFailure(
          .usage, "--state holds a password, which other users of this machine can read",
          hint: "keep it in ~/.pgpass or PGPASSWORD, or the address in GRAPHFLOW_STATE")
      }
      ProcessRedactor.record([password])
    }
    return address
  }

  /// The folder of the option, else of `GRAPHFLOW_STATE_DIR`, else the user's own.
  private var directory: StateDirectory {
    StateDirectory(
      path: path ?? Environment.value("GRAPHFLOW_STATE_DIR")
        ?? StateDirectory.standard(environment: Environment.variables()))
  }
}

extension StateStore {
  /// Refuses a run if it is unknown what it has sent.
  func refuseDamaged(_ id: RunID, of start: RunStart?) throws {
    guard case .damaged(let damage)? = try evidenceUnlessPruned(of: id)?.verdict else { return }
    throw CommandFailure(lost: id, damage, of: start?.file, as: start?.profile, in: self)
  }

  /// Warns that a damaged run may have sent more than its journal holds.
  func warnOfDamage(_ id: RunID) throws {
    guard case .damaged(let damage)? = try evidenceUnlessPruned(of: id)?.verdict else { return }
    Terminal.warn(
      "the run \(id) is damaged: \(damage); writes that were sent may be missing here")
  }

  /// The run that a command names: an id, or `latest`.
  func run(named name: String) throws -> RunID {
    if name == "latest" {
      guard let latest = try latest() else {
        throw CommandFailure(.unreadable, "there is no run in '\(place)'")
      }
      return latest
    }
    if Job.isName(name) {
      throw CommandFailure(
        .usage, "'\(name)' is a job, not a run",
        hint: "graphflow report \(name) reports it; graphflow runs lists its runs")
    }
    guard let id = RunID(name) else {
      throw CommandFailure(
        .usage, "'\(name)' is not a run id",
        hint: "an id has 26 digits and capital letters; 'latest' is the newest run")
    }
    return id
  }
}
