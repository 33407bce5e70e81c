import GraphFlow

extension StateOptions {
  /// Where runs are kept.
  func store() throws -> any StateStore { directory }

  /// Where the reports and rows of runs are kept.
  var files: StateDirectory { directory }

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

  /// Whether a process works on a run.
  func isActive(_ id: RunID) -> Bool {
    do {
      let lock = try lock(id)
      return lock == nil
    } catch {
      return false
    }
  }

  /// The run that a command names: an id, or `latest`.
  func run(named name: String) throws -> RunID {
    if name == "latest" {
      guard let latest = try latest() else {
        throw CommandFailure(.unreadable, "there is no run in '\(place)'")
      }
      return latest
    }
    guard let id = RunID(name) else {
      throw CommandFailure(
        .usage, "'\(name)' is not a run id",
        hint: "an id has 26 digits and capital letters; 'latest' is the newest run")
    }
    return id
  }
}
