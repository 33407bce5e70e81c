import GraphAPI
import JSONPath

/// What an answer says about an instance: its pages, its conditions, and the path that was sent.
extension RunProgress {
  /// The answer with the data of all pages, or `nil` if the next page has to be read first.
  ///
  /// - Throws: A failure if an answer is not a page, or its link to the next page cannot be
  ///   followed.
  mutating func withAllPages(
    _ response: OperationResponse, of instance: Int
  ) throws(Failure) -> OperationResponse? {
    guard let pagination = facts.request(of: instance).pagination else { return response }
    var pages =
      self[instance].pages ?? facts.pages(pagination, of: instance, items.item(of: instance))
    self[instance].pages = nil  // So that the collection is not copied.
    let addition = (try? response.body.json()).map { pages.add($0) }
    guard addition == .page else {
      forgetPages(of: instance)
      throw addition == .brokenLink ? .brokenLink : .noPage
    }
    if pages.hasMore || pages.pageCount > 1, holdRows(of: response.body, instance) {
      pages.keepsElements = false
    }
    if pages.hasMore {
      self[instance].pages = pages
      postpone(instance, until: now)
      return nil
    }
    if pages.hasRepeated { self[instance].note = PageCollection.repetitionNote }
    return response.replacingBody(with: ResponseBody(pages.text))
  }

  /// Refuses rows without the reach that was asked for: beyond a limit Graph leaves it out.
  ///
  /// Source: Marketing API, Insights, "Best Practices".
  func checkReach(_ response: OperationResponse, of instance: Int) throws(Failure) {
    guard Usage(headers: response.headers).adsInsightsReach ?? 0 >= 100,
      let rows = (try? response.body.json())?["data"]?.array, !rows.isEmpty,
      rows.allSatisfy({ $0["reach"] == nil })
    else { return }
    let fields = try resolved(instance).operation.parameters.last { $0.name == "fields" }
    let asked = fields?.value.split(whereSeparator: { ", \n".contains($0) }) ?? []
    if asked.contains("reach") { throw .noReach }
  }

  /// Whether the condition of `until` holds; if not, the next poll is scheduled.
  ///
  /// Polls are at whole multiples of their interval, so that all polling requests share a batch.
  ///
  /// - Throws: A failure if the condition can no longer hold, or the time is up.
  mutating func holdsByNow(
    _ instance: Int, _ response: OperationResponse, sentAt start: Duration
  ) throws(Failure) -> Bool {
    guard let until = facts.request(of: instance).until,
      self[instance].polling?.isComplete != true
    else { return true }
    let root = try? response.body.json()
    if try evaluate(until.check, instance, response, root: root).holds { return true }
    if let fail = until.fail, try evaluate(fail, instance, response, root: root).holds {
      throw until.isOfReport
        ? .reportRunEnded(root?["async_status"]?.string ?? "") : .polledFailure(fail.text)
    }
    guard schedulePoll(of: instance, until, sentAt: start) else {
      throw until.isOfReport ? .reportLimitReached : .pollLimitReached(until.check.text)
    }
    return false
  }

  /// Schedules the next poll; returns false if the time is up.
  mutating func schedulePoll(
    of instance: Int, _ until: Workflow.Until, sentAt start: Duration
  ) -> Bool {
    var polling = self[instance].polling ?? Polling()
    let since = polling.since ?? start
    polling.since = since
    self[instance].polling = polling
    let interval = max(until.interval, .milliseconds(1))
    let ticks = Int64((now + interval / 2) / interval) + 1
    let tick = interval * Int(ticks)
    guard tick - since <= until.within else { return false }
    postpone(instance, until: tick)
    return true
  }

  /// The verdicts on an instance's expectations, in order.
  ///
  /// A write that a confirmation check has found has a body but no answer: `status()` and
  /// `header()` are then nothing.
  ///
  /// - Throws: A failure if an expression takes too many steps.
  func verdicts(
    _ instance: Int, _ response: OperationResponse?, root: JSON?
  ) throws(Failure) -> [ExpectationResult] {
    let request = facts.request(of: instance)
    let expectations = request.expect
    guard !expectations.isEmpty else { return [] }
    // The shown value is selected in a masked body: the value alone does not show its name.
    let shownRoot = root.map { log.mask.masked($0) }
    var verdicts: [ExpectationResult] = []
    for expectation in expectations {
      let expression = expectation.expression
      let holds = try evaluate(expression, instance, response, root: root).holds
      let shown = try evaluate(expression, instance, response, root: shownRoot, masksSecrets: true)
      verdicts.append(
        ExpectationResult(
          check: expression.text, passed: holds, message: expectation.message,
          actual: request.omitsResponse ? nil : shown.actual))
    }
    return verdicts
  }

  /// Evaluates an expression on an answer; also the value of a comparison's left side.
  private func evaluate(
    _ expression: Expression, _ instance: Int, _ response: OperationResponse?, root: JSON?,
    masksSecrets: Bool = false
  ) throws(Failure) -> (holds: Bool, actual: JSON?) {
    var bindings = bindings(for: instance)
    bindings.masksSecrets = masksSecrets
    let operands = try bindings.operands(of: expression)
    let host =
      response.map { LogicalExpression.Host(operands: operands, response: $0) }
      ?? LogicalExpression.Host(operands: operands)
    do {
      return try expression.logical.evaluate(root: root, host: host)
    } catch {
      throw .queryLimit(expression.text)
    }
  }

  /// The path that was sent, with the values that Graph filled in.
  ///
  /// - Returns: The path; nil if Graph filled in a value that the run did not receive.
  /// - Throws: A failure if a reference that was left to Graph selects nothing. This is a failure
  ///   whether Graph or the run resolves the reference.
  func resolvedPath(of member: PackedBatch.Member) throws(Failure) -> String? {
    let isHere = member.references.allSatisfy { self[$0].hasSucceeded || bodies[$0] != nil }
    guard isHere else { return nil }
    if member.references.isEmpty, let bound = self[member.request].bound {
      return bound.operation.path
    }
    return try resolved(member.request).operation.path
  }

  /// The failure of a reference that Graph had to fill in and that selects nothing.
  ///
  /// - Returns: The failure; nil if the operation was refused for another reason, or along with the
  ///   request that it refers to.
  func unresolvedReference(of member: PackedBatch.Member) -> Failure? {
    guard !member.references.isEmpty,
      member.references.allSatisfy({ self[$0].hasSucceeded })
    else { return nil }
    do throws(Failure) {
      _ = try resolved(member.request)
      return nil
    } catch {
      return error.reason == .unresolvedReference ? error : nil
    }
  }

  /// A request that was sent, with the values that Graph filled in and without its files.
  private func resolved(_ instance: Int) throws(Failure) -> BoundRequest {
    try bindings(for: instance).bound(facts.request(of: instance), readFile: { _ in [] })
  }
}

/// The steps of a report: a POST starts its run, GETs poll the run, then GETs read its rows.
///
/// For everything else it is one read. It has one attempt for each run, and one outcome.
extension RunProgress {
  /// What is read of a run: its state, and since v25.0 why it failed (docs/internals/graph-api.md,
  /// Marketing).
  private static let stateFields = "async_status,async_percent_completion"
  private static let errorFields =
    ",error_code,error_subcode,error_message,error_user_title,error_user_msg"
  private static let firstVersionWithErrors = GraphVersion("v25.0")
  private static let rowsOfPage = "500"

  /// Makes the operation of a report the one for its next step; the guard has judged it as a read.
  func turnReport(_ operation: inout BatchOperation, of instance: Int) {
    let polling = self[instance].polling
    let limit = operation.parameters.last { $0.name == "limit" }
    operation.parameters.removeAll { $0.name == "limit" }
    guard let run = polling?.run else {
      operation.method = .post
      return
    }
    guard polling?.isComplete == true else {
      let version = operation.version ?? facts.version
      let hasErrors = Self.firstVersionWithErrors.map { version >= $0 } ?? false
      operation.path = run
      operation.parameters = [
        .init(name: "fields", value: Self.stateFields + (hasErrors ? Self.errorFields : ""))
      ]
      return
    }
    operation.path = "\(run)/insights"
    operation.parameters = [limit ?? .init(name: "limit", value: Self.rowsOfPage)]
    self[instance].pages?.turn(&operation)
  }

  /// Whether an answer holds rows of a report, or is not of a report; otherwise the next step is
  /// scheduled.
  ///
  /// - Throws: A failure if no run was started, or if the run will have no rows.
  mutating func isAtRows(
    _ instance: Int, _ response: OperationResponse, sentAt start: Duration
  ) throws(Failure) -> Bool {
    let request = facts.request(of: instance)
    guard request.isReport, let until = request.until, self[instance].polling?.isComplete != true
    else { return true }
    if self[instance].polling?.run == nil {
      let id = (try? response.body.json())?["report_run_id"]
      guard let run = id?.string ?? id?.number?.lexeme, !run.isEmpty,
        run.utf8.allSatisfy(WorkflowName.isPart)
      else { throw .noReportRun }
      setReportRun(run, of: instance)
      _ = schedulePoll(of: instance, until, sentAt: start)
    } else if try holdsByNow(instance, response, sentAt: start) {
      self[instance].polling?.isComplete = true
      postpone(instance, until: now)
    }
    goOn(instance)
    return false
  }

  /// What a rejection means for a report: its run has failed, is gone, or is not complete after all.
  ///
  /// - Returns: The rejection of the request; nil if the next step is scheduled instead.
  mutating func rejection(
    _ rejection: AnsweredCall.Rejection, ofReport instance: Int, _ answered: AnsweredCall,
    sentAt start: Duration
  ) -> AnsweredCall.Rejection? {
    guard let polling = self[instance].polling, polling.run != nil, rejection.source == .answer,
      let until = facts.request(of: instance).until
    else { return rejection }
    // A run can be at 100 percent, and complete, before its rows can be read.
    if polling.isComplete, rejection.error.effectiveCode == 2601 {
      guard schedulePoll(of: instance, until, sentAt: start) else { return rejection }
      self[instance].polling?.isComplete = false
      goOn(instance)
      return nil
    }
    let isGone = rejection.classification.reason == .notFound
    guard isGone || rejection.error.isReportFailure else { return rejection }
    loseReportRun(of: instance)
    // A run of an earlier process has expired: Graph keeps it for 30 days.
    if isGone, polling.since == nil {
      postpone(instance, until: now)
      goOn(instance)
      return nil
    }
    return answered.rejection(ofReport: rejection)
  }

  /// Gives up the run of a report: the next attempt starts another one.
  mutating func loseReportRun(of instance: Int) {
    guard self[instance].polling?.run != nil else { return }
    setReportRun(nil, of: instance)
    self[instance].polling?.lostRuns += 1
    forgetPages(of: instance)
  }

  private mutating func setReportRun(_ run: String?, of instance: Int) {
    let lostRuns = self[instance].polling?.lostRuns ?? 0
    self[instance].polling = Polling(run: run, lostRuns: lostRuns)
    // A resumed run would take the run of a part for that of the whole.
    guard self[instance].split == nil else { return }
    log.append(
      .reportRun(
        AdReportRun(
          request: facts.graph.request(of: instance), item: items.itemID(of: instance), run: run)))
  }

  /// After a step that succeeded only the runs that were lost still count as failures.
  private mutating func goOn(_ instance: Int) {
    self[instance].attempts.restart(after: self[instance].polling?.lostRuns ?? 0)
    self[instance].lastFailure = nil
  }
}

/// A read that Graph refuses as a whole is read in parts, each like the whole; no journal has them.
extension RunProgress {
  /// Divides a read whose last attempt failed, if that may help.
  ///
  /// - Returns: Whether the next part is scheduled, or the read has ended with what it could get.
  mutating func split(
    _ member: PackedBatch.Member, after failure: Failure, isLastAttempt: Bool
  ) -> Bool {
    let (instance, request) = (member.request, facts.request(of: member.request))
    guard !request.split.isEmpty,
      let cause = SplitRead.Cause(
        failure, isOfRun: (self[instance].polling?.lostRuns ?? 0) > 0,
        hasIDs: request.params["ids"] != nil), cause != .unclear || isLastAttempt
    else { return false }
    let problem = SplitRead.Problem(cause: cause, failure: failure)
    if self[instance].split != nil {
      self[instance].split?.fail(problem)
    } else {
      loseReportRun(of: instance)
      self[instance].split = newSplit(of: instance, problem)
    }
    guard let split = self[instance].split, !split.isHopeless else { return false }
    if let missing = split.missing, split.isFinished {
      learn(from: split, instance)
      let body = ResponseBody(Array(split.body.serialized().utf8))
      keepBody(body, of: instance)
      var ending = Ending(
        status: .failed, failure: missing, resolvedPath: (try? resolvedPath(of: member)) ?? nil)
      ending.body = body
      complete(instance, ending)
      return true
    }
    self[instance].attempts = AttemptHistory(madeBefore: self[instance].attempts.made)
    readNextPart(of: instance)
    return true
  }

  /// The answer with the rows of all parts, or `nil` if the next part has to be read first.
  ///
  /// - Throws: The failure of the parts, if too many of them have failed.
  mutating func withAllParts(
    _ response: OperationResponse, of instance: Int
  ) throws(Failure) -> OperationResponse? {
    guard self[instance].split != nil else { return response }
    self[instance].split?.succeed((try? response.body.json()) ?? .null)
    guard let split = self[instance].split else { return response }
    if let failure = split.lastFailure, split.isHopeless { throw failure }
    guard split.isFinished else {
      self[instance].attempts.restart(after: 0)
      readNextPart(of: instance)
      return nil
    }
    learn(from: split, instance)
    return response.replacingBody(with: ResponseBody(Array(split.body.serialized().utf8)))
  }

  /// Begins with parts at once if the reads of other items have shown what is refused.
  mutating func beginKnownSplit(_ instance: Int) {
    guard !facts.request(of: instance).split.isEmpty, self[instance].split == nil,
      self[instance].pages == nil, self[instance].polling?.run == nil,
      !splits.isEmpty(of: facts.graph.request(of: instance))
    else { return }
    self[instance].split = newSplit(of: instance, nil)
  }

  private func newSplit(of instance: Int, _ problem: SplitRead.Problem?) -> SplitRead? {
    guard let operation = try? whole(instance, readFile: { _ in [] }).operation else { return nil }
    var known = splits.known(of: facts.graph.request(of: instance), operation)
    known.problem = problem
    let split = SplitRead(of: operation, by: facts.request(of: instance).split, known)
    return split.isFinished || split.isWhole ? nil : split
  }

  private mutating func readNextPart(of instance: Int) {
    forgetPages(of: instance)
    self[instance].polling = nil
    self[instance].lastFailure = nil
    postpone(instance, until: now)
  }

  private mutating func learn(from split: SplitRead, _ instance: Int) {
    guard let operation = try? whole(instance, readFile: { _ in [] }).operation else { return }
    splits.learn(from: split, of: facts.graph.request(of: instance), operation)
  }
}

extension LogicalExpression.Host {
  /// The host of a `when` or of a confirmation check: fixed operands, and no functions.
  init(operands: [[JSON]]) { self.init(operand: { operands[$0] }, function: { _, _ in nil }) }

  /// The host of an `expect`: `status()` and `header('name')` read the answer.
  init(operands: [[JSON]], response: OperationResponse) {
    self.init(
      operand: { operands[$0] },
      function: { name, arguments in
        switch name {
        case "status": .number(JSON.Number(response.code))
        case "header": (arguments.first??.string).flatMap { response.headers[$0] }.map(JSON.string)
        default: nil
        }
      })
  }
}

extension ExpectationResult {
  /// The failure of a request if the expectation does not hold.
  var failure: Failure {
    let actual = actual.map { ", actual value: \($0)" } ?? ""
    return Failure(
      message ?? "the expectation `\(check)` does not hold\(actual)", .expectation,
      hint: "compare the actual value with the expected one in the report")
  }
}
