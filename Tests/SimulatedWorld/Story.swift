import GraphAPI
import GraphFlow
import Synchronization

/// A world from its first process to its last, and whether what was promised held.
package struct Story: Sendable {
  /// What did not hold; empty for a good world.
  package private(set) var violations: [String] = []
  /// How often each rare state was reached.
  package private(set) var reached: [RareState: Int] = [:]
  /// How many processes there were.
  package private(set) var lives = 0
  /// How many HTTP calls were made.
  package private(set) var calls = 0
  /// How many operations Graph worked on.
  package private(set) var operations = 0
  /// How many writes took effect.
  package private(set) var effects = 0
  /// What became of lost writes with a confirmation check.
  package var usefulness: Usefulness { checker.usefulness }
  /// The virtual time that passed.
  package private(set) var time = Duration.zero
  /// Everything that the product wrote: the journal and the reports, for comparison.
  package private(set) var record: [UInt8] = []
  /// What was tried.
  package let yaml: String
  /// What each process wrote into the journal, and what came to Graph, for people.
  package private(set) var history: [String] = []

  private let isTraced: Bool
  private var isHealed = false
  /// Whether the last process has left the rest to one that limits allow more.
  private var isSaved = false
  private let world: World
  private let workflow: Workflow?
  private let site: Site
  private let store: Store
  private let shelf: QuotaShelf
  private var chance: Chance
  private var checker: Checker
  private var fileTrouble: FileTrouble

  /// Plays the world of a seed.
  ///
  /// - Parameters:
  ///   - seed: which world.
  ///   - size: how many requests are left of its workflow.
  ///   - isTraced: whether the history is kept.
  package init(seed: UInt64, size: Int = .max, isTraced: Bool = false) {
    self.isTraced = isTraced
    let world = World(seed: seed, size: size)
    self.world = world
    yaml = world.sketch.yaml
    let (workflow, diagnostics) = Workflow.reading(
      SourceFile(path: "simulated.yaml", bytes: Array(yaml.utf8))
    )
    self.workflow = workflow
    site = Site(world: world)
    store = Store(Chance(seed, stream: 4), machine: Machine(at: .zero))
    shelf = QuotaShelf(Chance(seed, stream: 6), trouble: world.exchangeTrouble, site: site)
    chance = Chance(seed, stream: 5)
    checker = Checker(world: world)
    fileTrouble = FileTrouble(seed: seed)
    guard workflow != nil else {
      violations = diagnostics.map { "the sketch is no workflow: \($0.message)" }
      return
    }
    play()
    let ledger = site.ledger
    checker.countLost(ledger)
    operations = ledger.arrivals.count
    effects = ledger.effects.count
    violations += checker.violations
  }

  /// The smallest beginning of a world's workflow in which something does not hold either.
  package static func smallest(seed: UInt64) -> Story {
    for size in 1..<200 {
      let story = Story(seed: seed, size: size, isTraced: true)
      if !story.violations.isEmpty { return story }
    }
    return Story(seed: seed, isTraced: true)
  }

  private mutating func play() {
    for fate in world.fates {
      guard violations.isEmpty else { return }
      live(fate)
      time += .seconds(chance.from(0...chance.pick([5, 600, 7200])))
    }
    live(.none)
    // Whatever is left comes to an end once nothing goes wrong any more.
    site.heal()
    isHealed = true
    for day in 0..<200 where violations.isEmpty {
      // What was found out of limits is out of date after a day.
      time += .seconds(60) + .seconds(day == 0 ? 0 : 26 * 3600)
      let calls = live(.none)
      checker.expectEnd(isPaused: day == 0 || isSaved && calls > 0)
      if checker.hasSucceeded {
        let further = live(.none)
        if further > 0 {
          violations.append("I6: a run that has succeeded made \(further) calls when resumed")
        }
        return
      }
      // A limit lets a part of the run through each day.
      if day > 0, !isSaved || calls == 0 { return }
    }
    if violations.isEmpty { violations = ["I6: limits allow all of it, and the run does not end"] }
  }

  /// Lets one process live, and looks at what it has left.
  ///
  /// - Returns: how many calls it made.
  @discardableResult
  private mutating func live(_ fate: World.Fate) -> Int {
    lives += 1
    guard let workflow = workflowOfThisLife else { return 0 }
    if lives == 3 { reach([.resumeOfResume]) }
    let machine = Machine(at: time, dyingAtStep: fate.step)
    store.restart(on: machine, faultRate: fate.isBadDisk ? world.diskTrouble : 0, isCut: false)
    shelf.restart(on: machine)
    site.begin(life: lives)
    let opening = open()
    let first = opening == .beginsInDoubt ? 0 : store.count
    guard let state = state(of: workflow, opening) else { return 0 }
    let (isFinished, end) = run(state, on: machine, fate)
    let calls = site.calls
    self.calls += calls
    time = machine.now
    if let death = machine.death { reach([death.rareState]) }
    if world.clockIsWrong(inLife: lives) { reach([.clockWrong]) }
    if !isFinished { violations.append("I6: the run does not end") }
    look(first: first, end: end, fate)
    return calls
  }

  /// The workflow, whose file may have other rows first by now.
  private var workflowOfThisLife: Workflow? {
    guard world.rowTurn > 0, lives > 1 else { return workflow }
    let yaml = world.sketch.yaml(turn: world.rowTurn * (lives - 1))
    return Workflow.reading(SourceFile(path: "simulated.yaml", bytes: Array(yaml.utf8))).0
  }

  private func run(
    _ state: RunState,
    on machine: Machine,
    _ fate: World.Fate
  ) -> (isFinished: Bool, end: RunEnd?) {
    let signal = StopSignal()
    var stop: (signal: StopSignal, atCall: Int, isKilledBySecond: Bool)?
    if case .signalled(let call, let isKilled) = fate { stop = (signal, call, isKilled) }
    let runner = Runner(
      transport: SimulatedTransport(machine: machine, site: site, store: store, stop: stop),
      journal: store,
      clock: VirtualClock(machine: machine),
      gracePeriod: .seconds(2),
      quota: shelf
    )
    let result = ResultBox()
    let start = clock
    let isFinished = machine.run(atMost: 2_000_000) {
      do {
        result.end = try await runner.run(state, since: max(.zero, start), stop: signal) { _ in }
      } catch {
        // The journal failed or the process died: what is left is looked at.
      }
    }
    return (isFinished, result.end)
  }

  /// How long ago the run started, by the clock of this process's machine; negative if it is behind.
  private var clock: Duration { time + .milliseconds(world.clockStep(ofLife: lives)) }

  private var budget: RunBudget {
    var budget = RunBudget()
    if !isHealed { (budget.calls, budget.usage) = world.budget }
    return budget
  }

  /// The state that the process begins with; nil if it cannot be read, which is a violation.
  private mutating func state(
    of workflow: Workflow,
    _ opening: FileTrouble.Opening
  ) -> RunState? {
    let (inputs, _) = InputValues.resolving(workflow, flags: [], file: nil, environment: [:])
    guard let inputs else { return nil }
    let startedAt = Timestamp(milliseconds: Int64(World.epoch))
    var generator = SplitMix64(seed: world.seed)
    var state = RunState(
      workflow: workflow,
      inputs: inputs,
      options: RunOptions(
        limits: BatchLimits(width: world.width),
        concurrency: world.concurrency,
        maxUnsafeWrites: world.maxUnsafeWrites,
        budget: budget
      ),
      context: RunContext(
        graphURL: .standard,
        version: .current,
        appSecret: world.knowsApp ? AppSecret("secret-of-a-simulation") : nil,
        token: { profile throws(TokenUnavailable) in
          let text = profile == "other" ? Tokens.other : Tokens.usual
          guard let token = AccessToken(text) else {
            throw TokenUnavailable(message: "no token", hint: "")
          }
          return token
        },
        readFile: { _ in [] }
      ),
      id: RunID(startedAt: startedAt, using: &generator),
      startedAt: startedAt,
      seed: world.seed &+ UInt64(lives)
    )
    if opening == .beginsInDoubt {
      store.begin(with: [.runStarted(state.runStart()), .endLost(startedAt)])
    }
    guard store.count > 0 else { return state }
    do {
      let events = try store.events()
      var replay = RunState.Replay()
      for event in events { state.replayEvent(event, into: &replay) }
      state.resume(
        after: replay,
        decisions: decisions(on: Report(of: events)),
        hasLostEnd: opening == .withoutEnd,
        at: clock
      )
      return state
    } catch {
      violations.append("I5: the journal cannot be read: \(error)")
      return nil
    }
  }

  /// Looks at the files that the last process has left, after whatever has happened to them.
  private mutating func open() -> FileTrouble.Opening {
    let (opening, hasLost) = fileTrouble.open(store, mayMeet: lives > 1 && !isHealed)
    if hasLost { checker.forget() }
    reach(fileTrouble.takeReached())
    violations += fileTrouble.takeViolations()
    return opening
  }

  /// What a person finds out about writes in doubt, who sometimes looks.
  private mutating func decisions(on report: Report) -> [DoubtDecision] {
    guard chance.happens(400) else { return [] }
    let ledger = site.ledger
    var decisions: [DoubtDecision] = []
    for request in report.requests where request.status == .inDoubt && chance.happens(700) {
      let name = request.facts.name.split(separator: ".").last.map(String.init) ?? ""
      let reference = request.item.map { "\(name)-\($0.key)" } ?? name
      guard !world.sketch.requests.contains(where: { $0.name == name && $0.isTwin }) else {
        continue
      }
      let effect = ledger.effects.first { $0.reference == reference }
      reach([effect == nil ? .personSaysNotApplied : .personSaysApplied])
      decisions.append(
        DoubtDecision(
          request: request.index,
          item: request.item,
          finding: effect.map { .applied(id: $0.id) } ?? .notApplied
        )
      )
    }
    return decisions
  }

  /// Checks what a process has left, and what is left of that after its end.
  private mutating func look(first: Int, end: RunEnd?, _ fate: World.Fate) {
    let ledger = site.ledger
    let journal = JournalRow.reading(store.rows)
    checker.check(life: lives, journal, from: first, ledger)
    checker.check(site, budget, from: first, store.rows, journal)
    if isTraced { trace(store.rows, from: first, ledger) }
    checker.note(hasGivenUpCalls: site.hasGivenUpCalls)
    if case .signalled(_, false) = fate, site.hasSignalled, let end, end.exitCode < 128 {
      reach([.signalTooLate])
    }
    report(end, ledger, afterCut: false)
    if case .powerCut = fate, end == nil {
      store.restart(on: Machine(at: time), faultRate: 0, isCut: true)
      report(nil, ledger, afterCut: true)
    }
    let states = checker.takeReached()
    isSaved = states.contains(.resumeAfter)
    reach(site.takeReached() + store.takeReached() + states)
  }

  private mutating func trace(_ rows: [Store.Row], from first: Int, _ ledger: Ledger) {
    history.append("process \(lives)")
    let arrivals = ledger.arrivals.filter { $0.life == lives }
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

  private mutating func report(_ end: RunEnd?, _ ledger: Ledger, afterCut isCut: Bool) {
    do {
      let json = Report(of: try store.events()).json
      if !isCut { for row in store.rows { record += row.json + (row.body ?? []) } }
      record += json
      guard let value = Value(parsing: json) else {
        violations.append("I8: the report is no JSON")
        return
      }
      checker.check(report: value, exitCode: end?.exitCode, ledger, afterCut: isCut)
    } catch {
      violations.append("I5: the journal cannot be read: \(error)")
    }
  }

  private mutating func reach(_ states: [RareState]) {
    for state in states { reached[state, default: 0] += 1 }
  }
}

/// Where the end of a run is put.
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

  fileprivate var isBadDisk: Bool {
    if case .badDisk = self { true } else { false }
  }
}

extension Machine.Place {
  fileprivate var rareState: RareState {
    switch self {
    case .beforeAppend: .crashBeforeAppend
    case .beforeMark: .crashBeforeMark
    case .afterIntent, .beforeSend: .crashAfterIntent
    case .afterOutcome: .crashAfterOutcome
    case .afterSend: .crashAfterSend
    case .afterEffect: .crashAfterEffect
    }
  }
}
