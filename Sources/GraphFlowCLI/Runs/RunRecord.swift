import GraphAPI
import GraphFlow

/// The outcome of a run so far, according to its journal.
struct RunRecord: Sendable {
  let id: RunID
  let start: RunStart
  let status: RunStatus
  let exitCode: Int
  let finishedAt: Timestamp?
  let inDoubt: Int
  /// Whether a write was sent, or may have been; always false for finished runs.
  let hasSentWrites: Bool
  /// Whether writes may have been sent that are not in the journal.
  let hasLostEnd: Bool

  /// Reads a journal; all of it only if a write may be in doubt or the run is unfinished.
  ///
  /// Nil for a run that was killed before it started.
  init?(_ id: RunID, in store: any StateStore) throws {
    let reading = try store.reading(id)
    let (first, last) = try reading.firstAndLastEvents()
    if case .runEnded(let end) = last, end.status == .succeeded || end.status == .failed,
      try !reading.mayContainDoubt()
    {
      (status, exitCode, finishedAt) = (end.status, end.exitCode, end.finishedAt)
      (inDoubt, hasSentWrites, hasLostEnd) = (0, false, false)
    } else {
      let report = Pipeline.report(of: RunHistory(try reading.events()))
      (status, exitCode, finishedAt) = (report.status, report.exitCode, report.end?.finishedAt)
      inDoubt = report.summary.inDoubt
      hasLostEnd = report.hasLostEnd
      hasSentWrites = report.requests.contains { request in
        request.facts.method != .get && (!request.attempts.isEmpty || request.uncertainty != nil)
      }
    }
    guard case .runStarted(let start) = first else { return nil }
    (self.id, self.start) = (id, start)
  }

  /// Whether it was stopped early, by a signal, a throttle or a crash.
  var isUnfinished: Bool { status == .cancelled || status == .unfinished }

  /// Whether a person has to check a write; not if the workflow ignores writes in doubt.
  ///
  /// If the end of a journal was lost, writes that have no entry may have been sent.
  var needsCheck: Bool {
    hasLostEnd ? status != .succeeded : inDoubt > 0 && status != .succeeded && status != .failed
  }

  /// Whether removing it could lose a result or cause a write to be sent twice.
  ///
  /// A run with `--sandbox` is never worth keeping, because it cannot be continued.
  var isWorthKeeping: Bool {
    !start.isSandboxRun && (isUnfinished || inDoubt > 0 || needsCheck)
  }
}

extension RunStart {
  /// The path of the workflow file, valid in any current folder.
  var path: String { file.hasPrefix("/") ? file : (folder.map { $0 + "/" } ?? "") + file }
}

/// A run that a lock or a key names, or that was found by a search through all runs.
enum FoundRun: Sendable {
  case known(RunRecord)
  /// Its journal, or a file beside it, is damaged.
  case damaged(RunID, JournalEvidence.Damage)

  /// Reads a run; nil if it was pruned, or killed before it started.
  init?(_ id: RunID, in store: any StateStore) throws {
    guard let evidence = try store.evidenceUnlessPruned(of: id) else { return nil }
    switch evidence.verdict {
    case .neverBegan: return nil
    case .damaged(let damage): self = .damaged(id, damage)
    case .whole:
      do {
        self = try RunRecord(id, in: store).map(Self.known) ?? .damaged(id, .withoutStart)
      } catch let error as JournalError where error.kind == .damaged {
        self = .damaged(id, .unreadable(error.message))
      }
    }
  }

  /// Whether a new run could repeat a write of this one.
  var blocksNewRun: Bool {
    switch self {
    case .known(let record):
      !record.start.isSandboxRun && (record.needsCheck || record.isUnfinished)
    case .damaged: true
    }
  }
}

extension JournalEvidence.Damage {
  /// A journal with entries, but without the start of the run.
  static let withoutStart = Self.unreadable("no entry records how the run started")
}

extension CommandFailure {
  /// Another process has taken over a run.
  init(lost id: RunID, to error: JournalError) {
    self.init(error)
    hint = "nothing more was sent from here; graphflow runs show \(id) says how the run ends"
  }

  /// Refuses to continue a run because it is unknown what it has sent.
  init(
    lost id: RunID, _ damage: JournalEvidence.Damage, of file: String?, as profile: String? = nil,
    in store: any StateStore
  ) {
    let state: String
    let repair: String
    if case .otherVersion = damage {
      state = "cannot be read"
      repair =
        "if it is finished, --on-unfinished ignore starts a new one; otherwise finish it "
        + "with that version first"
    } else {
      state = "is damaged"
      repair = "restore the missing files under '\(store.place)'"
    }
    let resumeHint =
      damage.hasReadableStart
      ? "graphflow resume \(id) --lost-in-doubt, which sends no write again that has no result in the journal"
      : "graphflow run \(file.map { "'\($0)'" } ?? "FILE")"
        + (profile.map { $0 == "default" ? "" : " --profile \($0)" } ?? "")
        + " --on-unfinished doubt, with the run's inputs\(profile == nil ? ", profile" : "") and key; it "
        + "sends no write before you have checked whether it happened"
    self.init(
      .invalid,
      "the run \(id)\(file.map { " of '\($0)'" } ?? "") \(state): \(damage); nothing was sent",
      hint: "\(repair), or continue without it: \(resumeHint)")
  }
}
