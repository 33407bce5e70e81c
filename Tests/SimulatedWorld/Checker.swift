/// Compares what the product says with what happened; shares no code with it.
///
/// The invariants are those of a run that can be trusted: I1 no write twice; I2 the journal never
/// contradicts the ledger; I3 what nobody knows is in doubt; I4 nothing before what it depends on;
/// I5 no result lost or changed; I6 an end, and nothing after it; I7 budgets and announced pauses.
/// (I8, that a world is the same whenever it is played, is seen by playing it twice.)
struct Checker: Sendable {
  let world: World
  private(set) var violations: [String] = []
  /// What became of lost writes.
  var usefulness = Usefulness()
  private var reached: [RareState] = []
  private var findings: [String: Finding] = [:]
  private var exitCode: Int?
  private var hasForgotten = false
  /// Whether the journal says by now that a part of it is lost.
  var isLossTold = false
  private let requests: [String: (request: Sketch.Request, item: String?)]
  /// Whether the last process gave up calls that were under way.
  private var hasGivenUpCalls = false
  /// Writes with a confirmation check of which an attempt was in doubt.
  var lost: Set<String> = []
  /// What the last process came to the end of.
  var ended: Set<String> = []
  /// Where the journal first says that a write is about to be sent.
  var intents: [String: Intent] = [:]

  /// A moment between two rows of a process.
  struct Intent: Sendable {
    let life: Int
    let row: Int

    /// Whether an operation arrived before.
    func isAfter(_ arrival: Ledger.Arrival) -> Bool {
      (arrival.life, arrival.rows) <= (life, row)
    }
  }

  init(world: World) {
    self.world = world
    requests = Dictionary(
      world.sketch.references.map { reference, index, item in
        (reference, (world.sketch.requests[index], item))
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Rare states since this was asked last.
  mutating func takeReached() -> [RareState] {
    defer { reached = [] }
    return reached
  }

  /// Whether the last process came to an end that leaves nothing to do: a failure that is ignored
  /// is tried again by a resumed run.
  var hasSucceeded: Bool {
    exitCode == 0 && findings.values.allSatisfy { $0.status != "failed" }
  }

  /// Forgets what was reported before: a part of the journal is lost, and everybody knows.
  ///
  /// What took effect in that part is told once the run has come to it.
  mutating func forget() {
    (hasForgotten, isLossTold) = (true, false)
    findings = [:]
    exitCode = nil
  }

  mutating func blame(_ text: String) {
    if violations.count < 20 { violations.append(text) }
  }

  mutating func reach(_ state: RareState) { reached.append(state) }

  /// Notes how the process came to its end whose report is checked next.
  mutating func note(hasGivenUpCalls: Bool) { self.hasGivenUpCalls = hasGivenUpCalls }

  /// What the last report says of a request.
  func status(of mark: String) -> String? { findings[mark]?.status }

  /// A request by its mark.
  func request(_ mark: String) -> (request: Sketch.Request, item: String?)? { requests[mark] }

  /// Checks a report against the truth.
  ///
  /// - Parameters:
  ///   - report: what the product says by its journal.
  ///   - exitCode: the code that the run ended with; nil if it was cut off.
  ///   - ledger: what happened.
  ///   - isCut: whether the report was made after power was lost.
  mutating func check(
    report: Value,
    exitCode: Int?,
    _ ledger: Ledger,
    afterCut isCut: Bool
  ) {
    let found = Finding.reading(report)
    checkInstances(report, found)
    checkKept(found, afterCut: isCut)
    var counts: [String: Int] = [:]
    for effect in ledger.effects { counts[effect.reference, default: 0] += 1 }
    for (mark, entry) in requests where entry.request.isWrite {
      check(mark, entry.request, found[mark], applied: counts[mark] ?? 0, ledger)
    }
    checkTwins(found, ledger)
    let isDoubtful = found.values.contains { $0.status == "in_doubt" }
    let told = report["run"]?["exit_code"]?.integer
    // A run that a signal has stopped says so first.
    if isDoubtful, told != 3, told != 143 {
      blame("I3: something is in doubt, but the exit code is \(told.map(String.init) ?? "none")")
    }
    if let exitCode { checkEnd(found, exitCode, told, isDoubtful: isDoubtful) }
    findings = found
    self.exitCode = exitCode
  }

  private mutating func checkEnd(
    _ found: [String: Finding],
    _ exitCode: Int,
    _ told: Int?,
    isDoubtful: Bool
  ) {
    if told != exitCode { blame("I2: the report tells another exit code than the run") }
    if exitCode == 3 && !isDoubtful { blame("I3: exit code 3 although nothing is in doubt") }
    if exitCode == 143, !hasGivenUpCalls, !isCutShort(found) {
      blame("I2: exit code 143 although the signal kept nothing from being sent or awaited")
    }
    guard exitCode == 0 else { return }
    for (mark, finding) in found.sorted(by: { $0.key < $1.key }) {
      let isIgnored = requests[mark]?.request.onError == "ignore"
      let isFine = finding.status == "succeeded" || finding.status == "skipped"
      if !isFine && !(finding.status == "failed" && isIgnored) {
        blame("I2: exit code 0, but \(mark) is \(finding.status ?? "not over")")
      }
    }
  }

  /// Whether something was neither sent to its end nor ruled out, or had failed before and was not
  /// retried.
  ///
  /// A resumed run knows that an item is finished only once it has come to it again.
  private func isCutShort(_ found: [String: Finding]) -> Bool {
    found.contains { mark, finding in
      switch finding.status {
      case nil, "cancelled", "in_doubt": true
      case "failed": !ended.contains(mark) && !finding.failedAfterEffect
      default: requests[mark]?.item != nil && !ended.contains(mark)
      }
    }
      || requests.contains { mark, entry in
        entry.item != nil && found[mark] == nil && found[entry.request.name] == nil
      }
  }

  /// I5: each instance is told once, under its own item, and the figures are those of the list.
  private mutating func checkInstances(_ report: Value, _ found: [String: Finding]) {
    let list = report["requests"]?.elements ?? []
    if list.count != found.count { blame("I5: the report tells an instance twice") }
    for status in ["succeeded", "failed", "skipped", "in_doubt", "cancelled"] {
      let count = found.values.count { $0.status == status }
      let told = report["summary"]?[status]?.integer
      if let told, told != count { blame("I5: \(told) are \(status) by the summary, not \(count)") }
    }
    for (mark, entry) in requests where entry.item != nil && found[mark] != nil {
      if found[entry.request.name] != nil {
        blame("I5: \(entry.request.name) is told for no item, and for \(mark)")
      }
    }
  }

  /// I1, I2 and I3 of one write.
  private mutating func check(
    _ mark: String,
    _ request: Sketch.Request,
    _ finding: Finding?,
    applied: Int,
    _ ledger: Ledger
  ) {
    let status = finding?.status ?? "not over"
    if case .deleteMade = request.action { return }
    guard !request.isTwin else { return }
    if hasTakenStranger(mark, request, finding, ledger) { return }
    if status == "succeeded" && applied == 0 {
      blame("I2: \(mark) succeeded, but never took effect")
    }
    guard !request.isRepeatable else { return }
    if applied > 1 { blame("I1: \(mark) took effect \(applied) times") }
    guard let effect = ledger.effects.first(where: { $0.reference == mark }), applied == 1,
      !effect.isHidden || status == "succeeded"
    else { return }
    let isReported = status == "succeeded" || status == "in_doubt"
    let isStillToBeTold = hasForgotten && (finding?.status == nil || !isLossTold)
    if !isReported && finding?.failedAfterEffect != true && !isStillToBeTold {
      blame("I3: \(mark) took effect, but is \(status)")
    }
    if status == "succeeded" {
      let id = effect.id
      if finding?.body?["id"]?.string != id {
        blame(
          "I2: \(mark) made \(id), but the report has \(finding?.body?.json ?? "nothing")"
        )
      }
    }
  }

  /// Whether a look took a post of others for ours that nobody could tell from it: one that says the
  /// same, was not there when the check was read, and was made after our send, as far as Graph's
  /// clock tells.
  private mutating func hasTakenStranger(
    _ mark: String,
    _ request: Sketch.Request,
    _ finding: Finding?,
    _ ledger: Ledger
  ) -> Bool {
    guard request.isConfirmable, finding?.status == "succeeded",
      let content = content(of: mark), let id = finding?.body?["id"]?.string,
      let stranger = ledger.strangers[content]?.first(where: { $0.id == id })
    else { return false }
    // A process that is killed between its intent and the send cannot tell that nothing was sent.
    let intent = intents[mark]
    let before = ledger.arrivals.prefix { intent?.isAfter($0) ?? true }
    // What was read after the send is no check but a look.
    let check = before.first { $0.reference == "look-\(mark)" && $0.isWorkedOn }
    let sent = ledger.firstSends[mark] ?? before.last?.at ?? .zero
    let isInvisible = check.map { $0.at <= stranger.visibleFrom } ?? true
    let isLater = stranger.at >= sent - world.clockUncertainty || !world.dates.isReliable
    guard isInvisible, isLater else { return false }
    reach(.strangerTaken)
    return true
  }

  /// Where a write posts and what.
  func content(of mark: String) -> String? {
    guard let (request, item) = self.request(mark),
      case .post(let page, let message) = request.action
    else { return nil }
    return "\(page)/feed|\(message == "{item}" ? item ?? "" : message)"
  }

  /// I1 to I3 of writes of one text, which nobody could tell apart.
  private mutating func checkTwins(_ found: [String: Finding], _ ledger: Ledger) {
    var classes: [String: [String]] = [:]
    for (mark, entry) in requests where entry.request.isTwin {
      guard case .post(let page, let message) = entry.request.action else { continue }
      classes["\(page)/feed|\(message)", default: []].append(mark)
    }
    for (content, marks) in classes.sorted(by: { $0.key < $1.key }) {
      let applied = ledger.effects.filter { $0.content == content }
      let mine = marks.map { found[$0] }
      let succeeded = mine.count { $0?.status == "succeeded" }
      let broken = mine.count { $0?.failedAfterEffect == true }
      let doubtful = mine.count { $0?.status == "in_doubt" }
      if doubtful > 1 { reach(.twinsInDoubt) }
      if applied.count > marks.count {
        blame("I1: \(content) was posted \(applied.count) times by \(marks.count) writes")
      }
      if applied.count < succeeded {
        blame("I2: \(content) took effect \(applied.count) times, but \(succeeded) succeeded")
      }
      let open = hasForgotten ? mine.count { $0?.status == nil } : 0
      if applied.count > succeeded + broken + doubtful + open
        && !applied.contains(where: \.isHidden)
      {
        blame("I3: \(content) took effect \(applied.count) times, and not all is told")
      }
      let ids = marks.filter { found[$0]?.status == "succeeded" }
        .compactMap { found[$0]?.body?["id"]?.string }
      if Set(ids).count < ids.count { blame("I2: two writes have one node: \(content)") }
      if !Set(ids).isSubset(of: applied.map(\.id)) {
        blame("I2: a node of somebody else was taken for ours: \(content)")
      }
    }
  }

  /// I5: what succeeded stays, with its result.
  private mutating func checkKept(_ found: [String: Finding], afterCut isCut: Bool) {
    for (mark, before) in findings.sorted(by: { $0.key < $1.key })
    where before.status == "succeeded" {
      // Reads are not synced one by one.
      if isCut, requests[mark]?.request.isWrite != true { continue }
      let now = found[mark]
      if now?.status != "succeeded" {
        blame("I5: \(mark) had succeeded, and is \(now?.status ?? "not over")")
      } else if now?.body != before.body {
        blame("I5: the result of \(mark) has changed")
      }
    }
  }

  /// I6: where nothing goes wrong, everything comes to an end.
  ///
  /// - Parameter isPaused: whether limits may still be used up, as far as anybody knows.
  mutating func expectEnd(isPaused: Bool) {
    guard exitCode != nil else {
      blame("I6: nothing went wrong, and there is no end")
      return
    }
    for (mark, finding) in findings.sorted(by: { $0.key < $1.key }) {
      // Of a run that is stopped at once not even the items are opened.
      let isUnopened = request(mark).map { findings[$0.request.name]?.status == "skipped" } ?? false
      if finding.status == nil, !isUnopened {
        blame("I6: the run has ended, but \(mark) has not")
      }
      if finding.status == "cancelled", !isPaused || exitCode == 0 || exitCode == 1 {
        blame("I6: nothing went wrong, but \(mark) was not sent")
      }
    }
    for (mark, entry) in requests where entry.item == nil && findings[mark] == nil {
      blame("I6: the run has ended, but the report does not know \(mark)")
    }
  }
}
