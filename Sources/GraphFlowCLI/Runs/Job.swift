import GraphFlow

/// A job: the runs of its parts, as far as there are any.
struct Job {
  let id: String
  /// The newest run of each part, in the order of the parts.
  let runs: [RunRecord]
  /// The parts without a run.
  let missing: [Shard]

  /// A job of some runs, the newest first; nil if none of them belongs to it.
  init?(_ id: String, of records: [RunRecord]) {
    var newest: [Shard: RunRecord] = [:]
    for record in records.reversed() where record.start.job == id {
      if let shard = record.start.options.shard { newest[shard] = record }
    }
    guard let start = newest.values.first?.start, let count = start.options.shard?.count else {
      return nil
    }
    let phases = Set(start.requests.compactMap(\.part))
    let parts =
      (phases.contains(.prologue) ? [Shard(.prologue, of: count)] : [])
      + (1...count).map { Shard(.items($0), of: count) }
    let last = Shard(.epilogue, of: count)
    let needed = parts + (phases.contains(.epilogue) ? [last] : [])
    self.id = id
    runs = (parts + [last]).compactMap { newest[$0] }
    missing = needed.filter { newest[$0] == nil }
  }

  /// Finds a job by its id.
  init(named id: String, in store: any StateStore) throws {
    let records = try store.runs().compactMap { run in
      guard try store.reading(run).start()?.job == id else { return RunRecord?.none }
      return try RunRecord(run, in: store)
    }
    guard let job = Job(id, of: records) else {
      throw CommandFailure(.unreadable, "there is no job '\(id)' in '\(store.place)'")
    }
    self = job
  }

  /// Whether a name is the id of a job.
  static func isName(_ name: String) -> Bool { name.hasPrefix("job-") }

  /// The worst result of its parts; a job with missing parts is unfinished.
  var result: (status: RunStatus, exitCode: Int) {
    var outcome = CommandOutcome()
    for run in runs { outcome.record(ExitStatus(rawValue: Int32(run.exitCode)) ?? .internalError) }
    if !missing.isEmpty { outcome.record(.tryAgainLater) }
    let exitCode = Int(outcome.status.rawValue)
    return (runs.first { $0.exitCode == exitCode }?.status ?? .unfinished, exitCode)
  }

  /// Visits the events of all parts as those of one run, one part after the other.
  ///
  /// - Parameters:
  ///   - store: where the runs are kept.
  ///   - begin: called before each part, with whether its run was resumed.
  ///   - visit: called for each event.
  /// - Throws: the errors of reading, and a ``CommandFailure`` for a run with a changed file.
  func forEachEvent(
    in store: any StateStore, beginningPart begin: (_ isResumed: Bool) -> Void,
    _ visit: (RunEvent) -> Void
  ) throws {
    guard var history = JobHistory(of: runs.map(\.start)) else { return }
    visit(.runStarted(history.start))
    var haveAllEnded = missing.isEmpty
    for run in runs {
      let reading = try store.reading(run.id)
      guard try !reading.hasChangedFile() else {
        throw CommandFailure(
          .invalid, "the run \(run.id) of the job \(id) was continued with a changed workflow file",
          hint: "report the runs one by one: graphflow report \(run.id)")
      }
      begin(try reading.wasResumed())
      history.beginPart(run.start)
      try reading.forEachEvent { event in
        if let event = history.event(event) { visit(event) }
      }
      if !history.finishPart() { haveAllEnded = false }
      try store.warnOfDamage(run.id)
    }
    if haveAllEnded, let end = history.end(as: result) { visit(.runEnded(end)) }
  }

  /// Writes reports; all but `.json` in memory that does not grow with the items.
  func write(_ files: [ReportFile], toStandardOutput: Bool, from store: any StateStore) throws {
    var whole = toStandardOutput || files.contains { !$0.format.isStreamed } ? Report(of: []) : nil
    var queue = ReportQueue(resumingFrom: Report(of: []))
    for file in files where file.format.isStreamed {
      queue.add(file, resumingFrom: Report(of: []))
    }
    try forEachEvent(in: store) {
      queue.settle(beforeSeveralSessions: $0)
    } _: { event in
      queue.append(event)
      whole?.apply(event)
    }
    var outcome = CommandOutcome()
    outcome.record(queue.finish())
    if let json = whole?.json {
      for file in files where !file.format.isStreamed {
        outcome.attempt {
          try writeAtomically(json, to: file.path, through: ProcessRedactor.stream)
        }
      }
      if toStandardOutput { outcome.attempt { try Terminal.printJSON(json) } }
    }
    try outcome.status.throwUnlessSucceeded()
  }
}
