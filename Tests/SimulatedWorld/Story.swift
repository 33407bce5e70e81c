import GraphAPI
import GraphFlow
import Synchronization

/// A world from its first process to its last, and the violated invariants.
package struct Story: Sendable {
  /// The violated invariants; empty for a good world.
  package internal(set) var violations: [String] = []
  /// The number of times that each rare state was reached.
  package private(set) var reached: [RareState: Int] = [:]
  /// The number of processes.
  package private(set) var processes = 0
  /// The number of HTTP calls.
  package internal(set) var calls = 0
  /// The number of operations that reached Graph.
  package private(set) var operations = 0
  /// The number of writes that took effect.
  package private(set) var effects = 0
  /// The outcomes of lost writes with a confirmation check.
  package var usefulness: Usefulness {
    var sum = earlierUsefulness
    sum.add(checker.usefulness)
    return sum
  }
  /// The virtual time that passed.
  package internal(set) var time = Duration.zero
  /// The journals and reports that the product wrote, for comparison.
  package private(set) var record: [UInt8] = []
  /// The workflow file.
  package let yaml: String
  /// The journal of each process and the operations that reached Graph, as text.
  package private(set) var history: [String] = []

  private let isTraced: Bool
  var isHealed = false
  /// The process that was stopped, until another one has taken over its run.
  private var stopped: Machine?
  /// Whether a limit made the last process leave the rest to a later one.
  private var isSaved = false
  let world: World
  /// The number of requests and groups in the included file.
  private let includedCount: Int
  private(set) var workflow: Workflow?
  let server: ModelServer
  var store: Store
  let quotaStore: SharedQuotaStore
  private var generator: SeededGenerator
  var checker: Checker
  var earlierUsefulness = Usefulness()
  /// What a person has agreed to.
  var approval = WriteMode.sent
  /// What the run takes over from an earlier one.
  var inheritance: Inheritance?
  /// The night that is played; nil before them.
  var night: Night?
  let windows = KeptWindows()
  private var fileTrouble: FileTrouble

  /// Plays the world of a seed.
  ///
  /// - Parameters:
  ///   - seed: the seed of the world.
  ///   - size: the number of requests that are kept of its workflow.
  ///   - isTraced: whether the history is recorded.
  ///   - isInParts: whether the workflow may be in two files.
  package init(
    seed: UInt64, size: Int = .max, isTraced: Bool = false, isInParts: Bool = true
  ) {
    self.isTraced = isTraced
    let world = World(seed: seed, size: size)
    self.world = world
    includedCount = isInParts ? world.includedCount : 0
    yaml = world.sketch.yaml
    let source = world.sketch.file(including: includedCount, turn: 0)
    let diagnostics: [Diagnostic]
    (workflow, diagnostics) = Pipeline.load(source, filePresence: nil)
    server = ModelServer(world: world)
    store = Store(SeededGenerator(seed, stream: 4), machine: Machine(at: .zero))
    quotaStore = SharedQuotaStore(
      SeededGenerator(seed, stream: 6), trouble: world.exchangeTrouble, server: server)
    generator = SeededGenerator(seed, stream: 5)
    checker = Checker(world: world)
    fileTrouble = FileTrouble(seed: seed)
    guard workflow != nil else {
      violations = diagnostics.map { "the sketch is not a valid workflow: \($0.message)" }
      return
    }
    if includedCount > 0 { reach([.includedFile]) }
    showWrites()
    play(world.fates)
    count()
    if violations.isEmpty, let rerun = world.rerun, begin(rerun) {
      play(rerun.fates)
      count()
    }
    if violations.isEmpty, let nights = world.nights { play(nights) }
  }

  /// Counts what a run has done.
  mutating func count() {
    let ledger = server.ledger
    checker.countLost(ledger)
    operations += ledger.arrivals.count
    effects += ledger.effects.count
    violations += checker.violations
  }

  /// The world with the shortest prefix of its workflow that still violates an invariant.
  package static func smallest(seed: UInt64) -> Story {
    for size in 1..<200 {
      let story = Story(seed: seed, size: size, isTraced: true)
      if !story.violations.isEmpty { return story }
    }
    return Story(seed: seed, isTraced: true)
  }

  /// Plays the disturbed processes of a run.
  mutating func disturb(_ fates: [World.Fate]) {
    for fate in fates {
      guard violations.isEmpty else { return }
      runProcess(fate)
      time += .seconds(generator.from(0...generator.pick([5, 600, 7200])))
    }
  }

  /// Plays a run from its first process to its end.
  mutating func play(_ fates: [World.Fate]) {
    disturb(fates)
    guard violations.isEmpty else { return }
    runProcess(.none)
    // The rest completes once all faults have ended.
    server.heal()
    isHealed = true
    for day in 0..<200 where violations.isEmpty {
      // Knowledge of limits expires after a day.
      time += .seconds(60) + .seconds(day == 0 ? 0 : 26 * 3600)
      let calls = runProcess(.none)
      checker.expectEnd(isPaused: day == 0 || isSaved && calls > 0)
      if checker.hasSucceeded {
        runProcess(.none)
        let further = server.ledger.arrivals.filter { arrival in
          arrival.process == processes && !arrival.isOfAccounts
            && arrival.reference != "me/permissions"
        }
        for arrival in further.prefix(1) {
          violations.append("I6: a run that has succeeded sent \(arrival.reference) when resumed")
        }
        return
      }
      // A limit allows a part of the run each day.
      if day > 0, !isSaved || calls == 0 { return }
    }
    if violations.isEmpty {
      violations = ["I6: the limits allow the whole run, and it does not end"]
    }
  }

  /// Runs one process, and checks its journal and report.
  ///
  /// - Returns: the number of its calls.
  @discardableResult
  mutating func runProcess(_ fate: World.Fate) -> Int {
    processes += 1
    guard let workflow = currentWorkflow?.under(requestGuard) else { return 0 }
    if processes == 3 { reach([.resumeOfResume]) }
    if store.count > 0 {
      if approval != .sent { reach([.resumeOfApproved]) }
      if inheritance != nil { reach([.rerunResumed]) }
    }
    let gate = world.hosts.flatMap {
      $0.stopped.process == processes && !isHealed ? $0.stopped.gate : nil
    }
    let machine = Machine(at: time, dyingAtStep: fate.step, stoppedAtGate: gate ?? .max)
    store.restart(on: machine, faultRate: fate.isBadDisk ? world.diskTrouble : 0, isCut: false)
    quotaStore.restart(on: machine)
    server.begin(process: processes)
    let opening = open()
    let first = opening == .beginsInDoubt ? 0 : store.count
    guard let state = state(of: workflow, opening) else { return 0 }
    let start = clock
    let (isFinished, end) = run(state, on: machine, fate)
    let calls = server.calls
    self.calls += calls
    time = machine.now
    if let death = machine.death { reach([death.rareState]) }
    if world.clockIsWrong(inProcess: processes) { reach([.clockWrong]) }
    if !isFinished, !machine.isStopped { violations.append("I6: the run does not end") }
    checker.deadline = deadline.map { max(.zero, start) + $0 }
    checkProcess(first: first, end: end, fate)
    continueStopped()
    if machine.isStopped {
      stopped = machine
      // The lease of the run has to end first.
      time += .seconds(15)
    }
    return calls
  }

  /// Continues a process whose run another one has taken over: it must send and store nothing more.
  private mutating func continueStopped() {
    guard let machine = stopped else { return }
    stopped = nil
    let (rows, arrivals) = (store.rows, server.ledger.arrivals.count)
    if !machine.continueWithoutLease(at: time, atMost: 2_000_000) {
      violations.append("I9: a process without its lease does not end")
    }
    if server.ledger.arrivals.count > arrivals {
      violations.append("I9: a process sends although another one has taken over its run")
    }
    if store.rows != rows {
      violations.append("I9: a process stores although another one has taken over its run")
    }
    reach([.overtaken])
    reach(server.takeReached())
  }

  /// The workflow of the current process; its items may have moved in the file.
  private var currentWorkflow: Workflow? {
    if let night { return night.workflow }
    if let inheritance { return inheritance.workflow }
    guard world.rowTurn > 0, processes > 1 else { return workflow }
    return reading(.whole, turn: world.rowTurn * (processes - 1))
  }

  /// Reads a part of the file, whose items may have moved.
  func reading(_ part: WorkflowPart, turn: Int = 0) -> Workflow? {
    let source = world.sketch.file(including: includedCount, turn: turn)
    return Pipeline.load(source, filePresence: nil, part: part).workflow
  }

  private func run(
    _ state: RunState, on machine: Machine, _ fate: World.Fate
  ) -> (isFinished: Bool, end: RunEnd?) {
    let signal = StopSignal()
    var stop: (signal: StopSignal, atCall: Int, isKilledBySecond: Bool)?
    if case .signalled(let call, let isKilled) = fate { stop = (signal, call, isKilled) }
    let runner = Runner(
      transport: GatedTransport(
        SimulatedTransport(machine: machine, server: server, store: store, stop: stop)),
      journal: SharedStore(store: store, machine: machine, delay: world.hosts?.storeDelay),
      clock: VirtualClock(machine: machine), gracePeriod: .seconds(2), quota: quotaStore)
    let result = ResultBox()
    let start = clock
    windows.beginProcess()
    let isFinished = machine.run(atMost: 2_000_000) { [windows] in
      var state = state
      do {
        result.end = try await runner.run(
          &state, since: max(.zero, start), stop: signal,
          collect: { windows.collect($0, on: machine) }, observe: { _ in })
      } catch {
        // The journal failed or the process died: the remaining journal is checked.
      }
    }
    return (isFinished, result.end)
  }

  /// The time since the run's start by the clock of this process's machine; may be negative.
  var clock: Duration { time + .milliseconds(world.clockStep(ofProcess: processes)) }

  private var budget: RunBudget {
    var budget = RunBudget()
    if !isHealed { (budget.calls, budget.usage) = world.budget }
    return budget
  }

  private var deadline: Duration? { isHealed ? nil : world.deadline }

  var requestGuard: RequestGuard {
    let methods = world.guardedMethods.compactMap(OperationMethod.init)
    let rule = RequestGuard.Rule(
      methods: Set(methods), path: GuardedPaths("never/**"), host: nil, place: "")
    return RequestGuard(deny: methods.isEmpty ? [] : [rule])
  }

  private var maxWrites: Int? { isHealed ? nil : world.maxWrites }

  /// The initial state of the process; nil, with a violation, if the journal cannot be read.
  private mutating func state(of workflow: Workflow, _ opening: FileTrouble.Opening) -> RunState? {
    guard var state = newState(of: workflow, writes) else { return nil }
    for end in inheritance?.ends ?? [] { state.inherit(.requestEnded(end)) }
    if opening == .beginsInDoubt {
      let startedAt = Timestamp(milliseconds: Int64(World.epoch))
      store.beginRun(with: [.runStarted(state.runStart()), .endLost(startedAt)])
    }
    guard store.count > 0 else { return state }
    do {
      let events = try store.events()
      var replay = state.beginReplay()
      for event in events { replay.record(event) }
      state.resume(
        after: replay, decisions: decisions(on: Report(of: events)),
        hasLostEnd: opening == .withoutEnd, at: clock)
      return state
    } catch {
      violations.append("I5: the journal cannot be read: \(error)")
      return nil
    }
  }

  /// What becomes of the writes of this process: a resumed run keeps to the approval in its journal.
  private var writes: WriteMode {
    guard let row = store.rows.first, approval != .sent,
      case .runStarted(let start)? = try? RunEvent(kind: row.kind, json: row.json, body: row.body)
    else { return approval }
    return start.options.writes
  }

  /// The state of a run that has done nothing.
  func newState(of workflow: Workflow, _ writes: WriteMode) -> RunState? {
    let (inputs, _) = InputValues.resolving(workflow, flags: [], file: nil, environment: [:])
    guard let inputs else { return nil }
    let startedAt = Timestamp(milliseconds: Int64(World.epoch))
    var generator = SplitMix64(seed: world.seed)
    var options = RunOptions(
      limits: BatchLimits(width: world.width), concurrency: world.concurrency,
      maxUnsafeWrites: world.maxUnsafeWrites, budget: budget, deadline: deadline,
      maxWrites: maxWrites, writes: writes, from: inheritance?.origin)
    var context = RunContext(
      graphURL: .standard, version: .current,
      appSecret: world.knowsApp ? AppSecret("secret-of-a-simulation") : nil,
      token: { profile throws(TokenUnavailable) in
        let text = profile == "other" ? Tokens.other : Tokens.usual
        guard let token = AccessToken(text) else {
          throw TokenUnavailable(message: "no token", hint: "")
        }
        return token
      }, readFile: { _ in [] })
    if let night {
      options.windows = night.selection
      context.bookmarks = [0: Bookmarks(windows.known)]
    }
    return RunState(
      workflow: workflow, inputs: inputs, options: options, context: context,
      id: RunID(startedAt: startedAt, using: &generator),
      startedAt: startedAt, seed: world.seed &+ UInt64(processes))
  }

  /// Opens the files of the last process, possibly after a mishap.
  private mutating func open() -> FileTrouble.Opening {
    let (opening, hasLost) = fileTrouble.open(
      store, allowsMishap: processes > 1 && !isHealed && inheritance == nil && night == nil)
    if hasLost { checker.forget() }
    reach(fileTrouble.takeReached())
    violations += fileTrouble.takeViolations()
    return opening
  }

  /// The decisions of a person, who sometimes inspects the writes in doubt.
  private mutating func decisions(on report: Report) -> [DoubtDecision] {
    guard generator.happens(400) else { return [] }
    let ledger = server.ledger
    var decisions: [DoubtDecision] = []
    for request in report.requests where request.status == .inDoubt && generator.happens(700) {
      let name = request.facts.name.split(separator: ".").last.map(String.init) ?? ""
      let reference = request.item.map { "\(name)-\($0.key)" } ?? name
      guard !world.sketch.requests.contains(where: { $0.name == name && $0.isTwin }) else {
        continue
      }
      let effect = ledger.effects.first { $0.reference == reference }
      reach([effect == nil ? .personSaysNotApplied : .personSaysApplied])
      decisions.append(
        DoubtDecision(
          request: request.index, item: request.item,
          finding: effect.map { .applied(id: $0.id) } ?? .notApplied))
    }
    return decisions
  }

  /// Checks the journal and report of a process, also after a power cut.
  private mutating func checkProcess(first: Int, end: RunEnd?, _ fate: World.Fate) {
    let ledger = server.ledger
    let journal = JournalRow.reading(store.rows)
    checker.check(process: processes, journal, from: first, ledger)
    checker.check(server, budget, from: first, store.rows, journal)
    checker.checkWrites(maxWrites, store.rows.dropFirst(first))
    if isTraced { trace(store.rows, from: first, ledger) }
    checker.hasGivenUpCalls = server.hasGivenUpCalls
    if case .signalled(_, false) = fate, server.hasSignalled, let end, end.exitCode < 128 {
      reach([.signalTooLate])
    }
    report(end, ledger, afterCut: false)
    if case .powerCut = fate, end == nil {
      store.restart(on: Machine(at: time), faultRate: 0, isCut: true)
      report(nil, ledger, afterCut: true)
    }
    let states = checker.takeReached()
    isSaved = states.contains(.resumeAfter)
    reach(server.takeReached() + store.takeReached() + states)
  }

  private mutating func trace(_ rows: [Store.Row], from first: Int, _ ledger: Ledger) {
    history.append("process \(processes)")
    let arrivals = ledger.arrivals.filter { $0.process == processes }
    for (number, row) in rows.enumerated().dropFirst(first) {
      for arrival in arrivals where arrival.rows == number {
        history.append("      -> \(arrival.reference)")
      }
      history.append("  \(number) \(row.kind) \(String(decoding: row.json, as: UTF8.self))")
    }
    for arrival in arrivals where arrival.rows == rows.count {
      history.append("      -> \(arrival.reference)")
    }
  }

  /// The events of the last journal, which may have lost its end.
  func journaledEvents() throws -> [RunEvent] { try store.events() }

  private mutating func report(_ end: RunEnd?, _ ledger: Ledger, afterCut isCut: Bool) {
    do {
      let json = Report(of: try store.events()).json
      if !isCut { for row in store.rows { record += row.json + (row.body ?? []) } }
      record += json
      guard let value = Value(parsing: json) else {
        violations.append("I8: the report is not JSON")
        return
      }
      checker.check(report: value, exitCode: end?.exitCode, ledger, afterCut: isCut)
    } catch {
      violations.append("I5: the journal cannot be read: \(error)")
    }
  }

  mutating func reach(_ states: [RareState]) {
    for state in states { reached[state, default: 0] += 1 }
  }
}

/// Holds the end of a run.
private final class ResultBox: Sendable {
  private let value = Mutex<RunEnd?>(nil)

  var end: RunEnd? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension World.Fate {
  fileprivate var step: Int {
    switch self {
    case .killed(let step), .powerCut(let step): step
    case .signalled, .badDisk, .none: .max
    }
  }

  fileprivate var isBadDisk: Bool { if case .badDisk = self { true } else { false } }
}

extension Machine.CrashPoint {
  fileprivate var rareState: RareState {
    switch self {
    case .beforeAppend: .crashBeforeAppend
    case .beforeMark: .crashBeforeMark
    case .afterIntent, .beforeSend: .crashAfterIntent
    case .afterOutcome: .crashAfterOutcome
    case .afterSend: .crashAfterSend
    case .afterEffect: .crashAfterEffect
    case .beforeFile: .crashBeforeFile
    case .beforeBookmark: .crashBeforeBookmark
    }
  }
}
