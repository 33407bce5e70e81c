import GraphFlow

/// A run that a lock or a key names, or that was found by looking through all of them.
enum FoundRun: Sendable {
  /// What its journal says.
  case known(RunRecord, RunStart)
  /// Its journal, or what lies beside it, is not what was written.
  case damaged(RunID, JournalEvidence.Damage)

  /// Looks at a run.
  ///
  /// - Returns: nil if it was pruned, or killed before it began.
  init?(_ id: RunID, in directory: StateDirectory) throws {
    guard let evidence = try directory.evidenceUnlessPruned(of: id) else { return nil }
    switch evidence.verdict {
    case .neverBegan: return nil
    case .damaged(let damage): self = .damaged(id, damage)
    case .whole:
      do {
        let record = try RunRecord(id, in: directory)
        guard let start = record.start else {
          self = .damaged(id, .withoutStart)
          return
        }
        self = .known(record, start)
      } catch let error as JournalError where error.kind == .damaged {
        self = .damaged(id, .unreadable(error.message))
      }
    }
  }

  /// Whether a new run could do twice what this one did.
  var blocksNewRun: Bool {
    switch self {
    case .known(let record, let start):
      !start.isRehearsal && (record.needsCheck || record.isUnfinished)
    case .damaged: true
    }
  }
}

extension JournalEvidence.Damage {
  /// A journal with entries of which none is the start of the run.
  static let withoutStart = Self.unreadable("no entry says how the run started")
}

extension CommandFailure {
  /// Refuses to go on with a run of which nobody knows what it has sent.
  ///
  /// - Parameters:
  ///   - id: the run.
  ///   - damage: what is wrong with it.
  ///   - file: the workflow's path, if it is known.
  ///   - profile: the run's profile, if it is known.
  ///   - directory: where the run is, or was.
  init(
    lost id: RunID,
    _ damage: JournalEvidence.Damage,
    of file: String?,
    as profile: String? = nil,
    in directory: StateDirectory
  ) {
    let state: String
    let cure: String
    if case .otherVersion = damage {
      state = "cannot be read"
      cure =
        "if it is finished, --on-unfinished ignore starts a new one; else finish it with that version "
        + "first"
    } else {
      state = "is damaged"
      cure = "put back what is missing under '\(directory.path)'"
    }
    let resumeHint =
      damage.leavesBeginning
      ? "graphflow resume \(id) --lost-in-doubt sends no write again that has no result in the journal"
      : "graphflow run \(file.map { "'\($0)'" } ?? "FILE")"
        + (profile.map { $0 == "default" ? "" : " --profile \($0)" } ?? "")
        + " --on-unfinished doubt, with the inputs\(profile == nil ? ", the profile" : "") and the key "
        + "of the run, sends no write before you have looked whether it happened"
    self.init(
      .invalid,
      "the run \(id)\(file.map { " of '\($0)'" } ?? "") \(state): \(damage); nothing was sent",
      hint: "\(cure), or go on without it: \(resumeHint)"
    )
  }
}
