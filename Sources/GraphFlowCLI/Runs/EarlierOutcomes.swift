import GraphAPI
import GraphFlow
import JSONPath

extension RunState {
  /// Takes over what other runs have done: those of the job, and an earlier one.
  mutating func inherit(
    from others: JobRuns?, for job: RunJob, in store: any StateStore
  ) async throws {
    try await others?.forEachInheritedEvent { inherit($0) }
    guard let earlier = job.options.from else { return }
    try GivenOutcomes(of: job.workflow, in: store).forEach(from: earlier.run) {
      inherit(.requestEnded($0))
    }
  }
}

/// The outcomes of an earlier run that a run with `--from` takes over.
struct GivenOutcomes {
  fileprivate let workflow: Workflow
  fileprivate let store: any StateStore

  init(of workflow: Workflow, in store: any StateStore) {
    (self.workflow, self.store) = (workflow, store)
  }

  /// Visits the outcomes of the requests that are not sent.
  func forEach(from run: RunID, _ visit: (RequestEnd) -> Void) throws {
    let given = places.filter { workflow.conduct.given.contains($0.value) }
    try forEachOutcome(of: run, at: given, visit)
  }

  /// The index of each request, by its name.
  fileprivate var places: [String: Int] {
    let names = workflow.requests.enumerated().map { ($1.displayName, $0) }
    return Dictionary(names) { first, _ in first }
  }

  /// Visits the outcomes of a run, and before them those that it has taken from an earlier run.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - places: the requests that matter, by name, with the indices that they get.
  ///   - visit: called for each outcome; the last one of an instance counts.
  /// - Throws: the errors of reading.
  fileprivate func forEachOutcome(
    of run: RunID, at places: [String: Int], _ visit: (RequestEnd) -> Void
  ) throws {
    let reading = try store.reading(run)
    if let start = try reading.start(), let earlier = start.options.from {
      let given = Set(start.requests.filter { $0.part == .earlier }.map(\.name))
      try forEachOutcome(of: earlier.run, at: places.filter { given.contains($0.key) }, visit)
    }
    var names: [String] = []
    try reading.forEachEvent { event in
      switch event {
      case .runStarted(let start): names = start.requests.map(\.name)
      case .requestEnded(var end) where names.indices.contains(end.request):
        guard let place = places[names[end.request]] else { return }
        end.request = place
        visit(end)
      default: break
      }
    }
  }
}

/// Finds the run whose outcomes a run with `--from` takes over, and refuses one that does not fit.
struct EarlierOutcomeSearch {
  let job: RunJob
  let settings: Settings
  let store: any StateStore

  private var workflow: Workflow { job.workflow }
  private var profile: String { settings.profile ?? workflow.token }

  /// What is taken over, and a sentence about it.
  func outcomes(
    ofRun name: String?, _ names: [String]
  ) throws -> (EarlierOutcomes, note: String) {
    let run = try name.map { try store.run(named: $0) } ?? newestRun()
    try store.refuseDamaged(run, of: nil)
    guard let start = try store.reading(run).start(), let record = try RunRecord(run, in: store)
    else { throw refusal(run, "has not started") }
    try check(record, start)
    let (statuses, writes) = try statuses(in: run)
    try checkSuppliers(of: run, statuses)
    let note = "the run \(run) gives the results of what is not sent again"
    let count = writes.count
    guard count > 0 else { return (EarlierOutcomes(names: names, run: run), note) }
    return (
      EarlierOutcomes(names: names, run: run),
      note + "; it made \(count == 1 ? "a write that is" : "\(count) writes that are")"
        + " sent again now"
    )
  }

  /// The newest finished run of the file and the profile.
  private func newestRun() throws -> RunID {
    let path = workflow.source.path
    let lock = StateDirectory.name(ofLock: path, profile + job.suffix(of: nil))
    let runs = try store.runs(
      after: nil, where: { $0.lock == lock },
      orStarted: { start in
        fits(start) && job.hasOverlapKey(of: start)
          && StateDirectory.canonical(start.path) == StateDirectory.canonical(path)
      })
    for run in runs {
      guard let record = try? RunRecord(run, in: store), fits(record.start), !record.isUnfinished
      else { continue }
      return run
    }
    throw CommandFailure(
      .unreadable,
      "no finished run of '\(workflow.source.path)' with the profile '\(profile)' is kept",
      hint: "--from needs the results of one; run the whole file first")
  }

  /// Whether a run may have results that mean the same here.
  private func fits(_ start: RunStart) -> Bool {
    !start.isSandboxRun && start.options.shard == nil && start.profile == profile
      && start.graphURL == settings.graphURL.description
  }

  private func refusal(
    _ run: RunID, _ reason: String,
    hint: String = "nothing was sent; run the whole file, or name another run with --of"
  ) -> CommandFailure {
    CommandFailure(.invalid, "--from: the run \(run) \(reason)", hint: hint)
  }

  /// Refuses a run that is not finished, or whose requests, inputs or items were others.
  private func check(_ record: RunRecord, _ start: RunStart) throws {
    let run = record.id
    guard fits(start) else {
      throw refusal(
        run,
        start.isSandboxRun
          ? "was one with --sandbox, and its world is gone"
          : start.options.shard != nil
            ? "was a part of a job" : "used another profile, or another Graph API")
    }
    guard !record.isUnfinished else {
      throw refusal(
        run, "is unfinished", hint: "nothing was sent; first: graphflow resume \(run)")
    }
    let given = workflow.conduct.given.sorted()
    if start.fileDigest != workflow.source.digest {
      var known: [String: String] = [:]
      for facts in start.requests { known[facts.name] = facts.definition }
      let changed = given.filter {
        known[workflow.requests[$0].displayName] != workflow.definition(of: $0)
      }
      guard changed.isEmpty else {
        throw refusal(run, "had other definitions of \(list(changed))")
      }
    }
    let inputs = given.reduce(into: Set<String>()) { $0.formUnion(workflow.inputs(of: $1)) }
    if let input = job.inputs.differing(from: start.inputs).first(where: inputs.contains) {
      throw refusal(run, "had another value of the input '\(input)'")
    }
    let keys = ItemKeys(of: workflow, inputs: job.inputs, run: ItemCheck.placeholderRun())
    for group in Set(given.compactMap { workflow.requests[$0].group }).sorted() {
      if let obstacle = workflow.obstacle(toGiving: group) {
        throw refusal(run, "cannot give its results: \(obstacle)")
      }
      guard case .file(let path) = try keys.items(of: group) else { continue }
      guard start.itemFiles[path] == job.itemFiles[path] else {
        throw refusal(run, "had another '\(path)'")
      }
    }
  }

  /// The outcomes of requests outside groups, and of groups that were never opened; and the writes
  /// that are sent again although they took effect.
  private func statuses(
    in run: RunID
  ) throws -> (ends: [Int: RequestEnd], writes: Set<InstanceID>) {
    var ends: [Int: RequestEnd] = [:]
    var (writes, doubts): (Set<InstanceID>, Set<InstanceID>) = ([], [])
    let outcomes = GivenOutcomes(of: workflow, in: store)
    try outcomes.forEachOutcome(of: run, at: outcomes.places) { end in
      if end.item == nil { ends[end.request] = end }
      guard !workflow.conduct.given.contains(end.request), workflow.requests[end.request].isWrite
      else { return }
      let id = InstanceID(end)
      if end.status == .succeeded { writes.insert(id) } else { writes.remove(id) }
      if end.status == .inDoubt { doubts.insert(id) } else { doubts.remove(id) }
    }
    guard doubts.isEmpty else {
      throw CommandFailure(
        .inDoubt,
        "--from: the run \(run) has \(doubts.count == 1 ? "a write" : "\(doubts.count) writes") in "
          + "doubt that would be sent again; nothing was sent",
        hint: "check on Facebook what happened, then: graphflow resume \(run)")
    }
    return (ends, writes)
  }

  /// Refuses a run without a result that a request needs.
  private func checkSuppliers(of run: RunID, _ ends: [Int: RequestEnd]) throws {
    let needed = workflow.suppliers.filter { !workflow.requests[$0.follower].runsAfterFailure }
    let lacking = needed.map(\.request).filter { request in
      guard let end = ends[request] else { return workflow.requests[request].group == nil }
      return end.status != .succeeded && !end.countsAsSuccess
    }
    guard lacking.isEmpty else {
      throw refusal(run, "has no result of \(list(lacking))")
    }
  }

  private func list(_ requests: [Int]) -> String {
    let names = requests.reduce(into: [String]()) { names, request in
      let name = "'\(workflow.requests[request].displayName)'"
      if !names.contains(name) { names.append(name) }
    }
    return names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and others" : "")
  }
}
