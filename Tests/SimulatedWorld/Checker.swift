/// Compares what the product reports with what happened; shares no code with the product.
///
/// The invariants of a reliable run: I1 no write happens twice; I2 the journal never contradicts the
/// ledger; I3 an unknown outcome is in doubt; I4 nothing is sent before its dependencies; I5 no
/// result is lost or changed; I6 every run ends, and nothing follows its end; I7 budgets and
/// announced pauses are kept; I10 nothing is written that a preview has not shown; I11 no window of
/// days is lost, and none is read without need. (I8, that a seed always gives the same world, is
/// checked by playing a world twice.)
struct Checker: Sendable {
  let world: World
  private(set) var violations: [String] = []
  /// The outcomes of lost writes.
  var usefulness = Usefulness()
  private var reached: [RareState] = []
  private(set) var findings: [String: Finding] = [:]
  private(set) var exitCode: Int?
  /// What the preview has reported; nil if the run began without one.
  var shown: [String: Finding]?
  /// The results of an earlier run that this one takes over; nil if it takes nothing over.
  let earlier: [String: Finding]?
  /// The marks of the whole workflow.
  let allMarks: Set<String>
  private(set) var hasForgotten = false
  /// Whether the journal records by now that a part of it is missing.
  var isLossReported = false
  private let requests: [String: (request: Sketch.Request, item: String?)]
  /// Whether the last process gave up calls that were under way.
  var hasGivenUpCalls = false
  /// The time since the run's start after which the last process may begin no call, by its clock.
  var deadline: Duration?
  /// Writes with a confirmation check that had an attempt in doubt.
  var lost: Set<String> = []
  /// The requests that the last process completed.
  var ended: Set<String> = []
  /// The first intent of each write in the journal.
  var intents: [String: Intent] = [:]

  /// A point between two rows of a process.
  struct Intent: Sendable {
    let process: Int
    let row: Int
    /// When the write was decided on; the send waits until the journal holds the intent.
    let time: Duration

    /// Whether an operation arrived before.
    func isAfter(_ arrival: Ledger.Arrival) -> Bool {
      (arrival.process, arrival.rows) <= (process, row)
    }
  }

  /// Makes the checker of a run, which sends some of the requests, or all.
  init(world: World, sending sent: Set<Int>? = nil, after earlier: Checker? = nil) {
    self.world = world
    let references = world.sketch.references
    allMarks = Set(references.map(\.reference))
    let own = references.filter { _, index, _ in
      sent?.contains(index) ?? true || world.sketch.requests[index].action == .directory
    }
    let requests = Dictionary(
      own.map { reference, index, item in (reference, (world.sketch.requests[index], item)) },
      uniquingKeysWith: { first, _ in first })
    self.requests = requests
    self.earlier = earlier?.findings.filter { requests[$0.key] == nil }
  }

  /// Returns the rare states since the last call.
  mutating func takeReached() -> [RareState] {
    defer { reached = [] }
    return reached
  }

  /// Whether the last process left nothing to do: a resumed run retries an ignored failure.
  var hasSucceeded: Bool { exitCode == 0 && findings.values.allSatisfy { $0.status != "failed" } }

  /// Forgets the earlier reports: a part of the journal is missing, which the product knows.
  ///
  /// A write that took effect in that part is reported once the run has reached it.
  mutating func forget() {
    (hasForgotten, isLossReported) = (true, false)
    findings = [:]
    exitCode = nil
  }

  mutating func addViolation(_ text: String) {
    if violations.count < 20 { violations.append(text) }
  }

  mutating func reach(_ state: RareState) { reached.append(state) }

  /// The status of a request in the last report.
  func status(of mark: String) -> String? { findings[mark]?.status }

  /// A request by its mark.
  func request(_ mark: String) -> (request: Sketch.Request, item: String?)? { requests[mark] }

  /// Checks a report against the ledger.
  ///
  /// - Parameters:
  ///   - report: the product's report of its journal.
  ///   - exitCode: the exit code of the run; nil if it was cut off.
  ///   - ledger: the ledger of Graph.
  ///   - isCut: whether the report was made after power was lost.
  mutating func check(report: Value, exitCode: Int?, _ ledger: Ledger, afterCut isCut: Bool) {
    let found = Finding.reading(report)
    checkInstances(report, found)
    checkKept(found, afterCut: isCut)
    var counts: [String: Int] = [:]
    for effect in ledger.effects { counts[effect.reference, default: 0] += 1 }
    for (mark, entry) in requests where entry.request.isWrite {
      check(mark, entry.request, found[mark], applied: counts[mark] ?? 0, ledger)
    }
    checkTwins(found, ledger)
    checkNotApproved(found)
    checkGiven(found)
    let isDoubtful = found.values.contains { $0.status == "in_doubt" }
    let reportedCode = report["run"]?["exit_code"]?.integer
    // The exit code of a signal comes before that of doubt.
    if isDoubtful, reportedCode != 3, reportedCode != 143 {
      let code = reportedCode.map(String.init) ?? "none"
      addViolation("I3: something is in doubt, but the exit code is \(code)")
    }
    if let exitCode { checkEnd(found, exitCode, reportedCode, isDoubtful: isDoubtful) }
    findings = found
    self.exitCode = exitCode
  }

  private mutating func checkEnd(
    _ found: [String: Finding], _ exitCode: Int, _ reportedCode: Int?, isDoubtful: Bool
  ) {
    if reportedCode != exitCode {
      addViolation("I2: the report has another exit code than the run")
    }
    if exitCode == 3 && !isDoubtful { addViolation("I3: exit code 3 although nothing is in doubt") }
    if exitCode == 143, !hasGivenUpCalls, !isCutShort(found) {
      addViolation("I2: exit code 143 although the signal kept nothing from being sent or awaited")
    }
    checkCleanUp(found, exitCode)
    if exitCode == 1, !found.contains(where: { isBad($0.value, $0.key) || isHeldUp($0.key) }) {
      addViolation("I2: exit code 1, but nothing has failed")
    }
    guard exitCode == 0 else { return }
    for (mark, finding) in found.sorted(by: { $0.key < $1.key }) {
      // A group whose items could not be read is reported by the names of its requests.
      let request = requests[mark]?.request ?? world.sketch.requests.first { $0.name == mark }
      let isIgnored = request?.onError == "ignore"
      let isFine = finding.status == "succeeded" || finding.status == "skipped"
      if !isFine && !(finding.status == "failed" && isIgnored) {
        addViolation("I2: exit code 0, but \(mark) is \(finding.status ?? "not over")")
      }
    }
  }

  /// Whether a result makes the run fail.
  private func isBad(_ finding: Finding, _ mark: String) -> Bool {
    let request = requests[mark]?.request ?? world.sketch.requests.first { $0.name == mark }
    if finding.status == "failed" { return request?.onError != "ignore" }
    return finding.status == "skipped"
      && !["condition", "dependency"].contains(finding.skipReason)
  }

  /// Whether a request was neither completed nor ruled out, or failed earlier and was not retried.
  ///
  /// A resumed run knows that an item is finished only after it has reached the item again.
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

  /// I5: each instance is reported once, under its own item, and the summary agrees with the list.
  private mutating func checkInstances(_ report: Value, _ found: [String: Finding]) {
    let list = report["requests"]?.elements ?? []
    if list.count != found.count { addViolation("I5: the report lists an instance twice") }
    for status in ["succeeded", "failed", "skipped", "in_doubt", "cancelled"] {
      let count = found.values.count { $0.status == status }
      let total = report["summary"]?[status]?.integer
      if let total, total != count {
        addViolation("I5: \(total) are \(status) by the summary, not \(count)")
      }
    }
    for (mark, entry) in requests where entry.item != nil && found[mark] != nil {
      if found[entry.request.name] != nil {
        addViolation("I5: \(entry.request.name) is reported without an item, and for \(mark)")
      }
    }
  }

  /// I1, I2 and I3 of one write.
  private mutating func check(
    _ mark: String, _ request: Sketch.Request, _ finding: Finding?, applied: Int, _ ledger: Ledger
  ) {
    let status = finding?.status ?? "not over"
    if case .deleteMade = request.action { return }
    guard !request.isTwin else { return }
    if hasTakenOtherPost(mark, request, finding, ledger) { return }
    if status == "succeeded" && applied == 0 {
      addViolation("I2: \(mark) succeeded, but never took effect")
    }
    guard !request.isRepeatable else { return }
    if applied > 1 { addViolation("I1: \(mark) took effect \(applied) times") }
    guard let effect = ledger.effects.first(where: { $0.reference == mark }), applied == 1,
      !effect.isHidden || status == "succeeded"
    else { return }
    let isReported = status == "succeeded" || status == "in_doubt"
    if !isReported && finding?.failedAfterEffect != true && !isReportedLater(finding) {
      addViolation("I3: \(mark) took effect, but is \(status)")
    }
    if status == "succeeded" {
      let id = effect.id
      if finding?.body?["id"]?.string != id {
        addViolation(
          "I2: \(mark) made \(id), but the report has \(finding?.body?.json ?? "nothing")")
      }
    }
  }

  /// Whether the lost part of a journal may hold another outcome, which the run does not know yet.
  private func isReportedLater(_ finding: Finding?) -> Bool {
    hasForgotten && (finding?.status == nil || !isLossReported)
  }

  /// Whether a check took a post of others for ours although no one could distinguish the two: it has
  /// the same text, was not visible when the baseline was read, and by Graph's clock was made after
  /// our decision to send.
  private mutating func hasTakenOtherPost(
    _ mark: String, _ request: Sketch.Request, _ finding: Finding?, _ ledger: Ledger
  ) -> Bool {
    guard request.isConfirmable, finding?.status == "succeeded",
      let content = content(of: mark), let id = finding?.body?["id"]?.string,
      let otherPost = ledger.otherPosts[content]?.first(where: { $0.id == id })
    else { return false }
    // A process that is killed between its intent and the send cannot know that nothing was sent.
    let intent = intents[mark]
    let before = ledger.arrivals.prefix { intent?.isAfter($0) ?? true }
    // A read after the send is not the baseline.
    let check = before.first { $0.reference == "check-\(mark)" && $0.isWorkedOn }
    let sent = ledger.firstSends[mark] ?? before.last?.at ?? .zero
    let decided = min(sent, intent?.time ?? sent)
    let isInvisible = check.map { $0.at <= otherPost.visibleFrom } ?? true
    let isLater = otherPost.at >= decided - world.clockUncertainty || !world.dates.isReliable
    guard isInvisible, isLater else { return false }
    reach(.otherPostTaken)
    return true
  }

  /// The place and the text of a post.
  func content(of mark: String) -> String? {
    guard let (request, item) = self.request(mark) else { return nil }
    func text(_ message: String) -> String { message == "{item}" ? item ?? "" : message }
    switch request.action {
    case .post(let page, let message): return "\(page)/feed|\(text(message))"
    case .comment(let parent, let message):
      let parent = world.sketch.requests[parent]
      let made = world.sketch.reference(of: parent, item: parent.group == nil ? nil : item)
      // Comments of an earlier run are below what that run has made.
      return earlier?[made]?.body?["id"]?.string.map { "\($0)/comments|\(text(message))" }
    default: return nil
    }
  }

  /// I1 to I3 of writes with the same text, which no one can distinguish.
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
        addViolation("I1: \(content) was posted \(applied.count) times by \(marks.count) writes")
      }
      if applied.count < succeeded {
        addViolation(
          "I2: \(content) took effect \(applied.count) times, but \(succeeded) succeeded")
      }
      let later = mine.count { finding in
        !["succeeded", "in_doubt"].contains(finding?.status) && isReportedLater(finding)
      }
      if applied.count > succeeded + broken + doubtful + later
        && !applied.contains(where: \.isHidden)
      {
        addViolation("I3: \(content) took effect \(applied.count) times, and not all are reported")
      }
      let ids = marks.filter { found[$0]?.status == "succeeded" }
        .compactMap { found[$0]?.body?["id"]?.string }
      if Set(ids).count < ids.count { addViolation("I2: two writes have one node: \(content)") }
      if !Set(ids).isSubset(of: applied.map(\.id)) {
        addViolation("I2: a node of others was taken for ours: \(content)")
      }
    }
  }

  /// Whether each process reads it again, because the journal does not hold the tokens in its answer.
  func isReadAgain(_ mark: String) -> Bool {
    mark == "page-tokens" || request(mark)?.request.action == .directory
  }

  /// I5: a success stays, with its result.
  private mutating func checkKept(_ found: [String: Finding], afterCut isCut: Bool) {
    for (mark, before) in findings.sorted(by: { $0.key < $1.key })
    where before.status == "succeeded" && !isReadAgain(mark) {
      // Reads are not synced one by one.
      if isCut, requests[mark]?.request.isWrite != true { continue }
      let now = found[mark]
      if now?.status != "succeeded" {
        addViolation("I5: \(mark) had succeeded, and is \(now?.status ?? "not over")")
      } else if now?.body != before.body {
        addViolation("I5: the result of \(mark) has changed")
      }
    }
  }

  /// I6: without faults, every request ends.
  ///
  /// - Parameter isPaused: whether the product may still regard limits as used up.
  mutating func expectEnd(isPaused: Bool) {
    guard exitCode != nil else {
      addViolation("I6: nothing failed, and the run has no end")
      return
    }
    for (mark, finding) in findings.sorted(by: { $0.key < $1.key }) {
      // A run that is stopped at once does not even open the items.
      let isUnopened = request(mark).map { findings[$0.request.name]?.status == "skipped" } ?? false
      if finding.status == nil, !isUnopened {
        addViolation("I6: the run has ended, but \(mark) has not")
      }
      if finding.status == "cancelled", !isPaused || exitCode == 0 || exitCode == 1 {
        addViolation("I6: nothing failed, but \(mark) was not sent")
      }
    }
    for (mark, entry) in requests where entry.item == nil && findings[mark] == nil {
      if earlier != nil, isReadAgain(mark) { continue }
      addViolation("I6: the run has ended, but the report does not list \(mark)")
    }
  }
}
