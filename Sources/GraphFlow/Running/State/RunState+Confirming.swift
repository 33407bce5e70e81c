import GraphAPI
import JSONPath

/// Writes whose outcome is unknown, until a check decides it.
extension RunState {
  /// Handles a write whose last attempt may have taken effect.
  ///
  /// With a `confirm`, checks search for it; without one it ends in doubt, and a person has to
  /// decide.
  ///
  /// - Parameters:
  ///   - instance: the write.
  ///   - failure: the failure of the attempt.
  ///   - code: its HTTP status, if it had one.
  ///   - delay: the delay that the server asks for.
  ///   - now: the time since the run's start.
  mutating func putInDoubt(
    _ instance: Int, _ failure: Failure, code: Int?, atLeast delay: Duration?, at now: Duration
  ) {
    guard request(of: instance).confirmation != nil else {
      completeInstance(instance, Ending(status: .inDoubt, failure: failure), code: code, at: now)
      return
    }
    let doubt = Doubt(
      failure: failure, code: code, since: now, resendNotBefore: now + (delay ?? .zero),
      step: .scheduled(at: now))
    instances[instance].phase = .doubtful(doubt)
    confirmations.doubtful.insert(instance)
  }

  /// The identity of an instance in journal and report, independent of item numbers.
  func owner(of instance: Int) -> ClaimedNodes.Owner {
    ClaimedNodes.Owner(request: graph.request(of: instance), key: item(of: instance)?.key ?? "")
  }

  /// The ids of the nodes that a write created, if the workflow has confirmation checks.
  func madeIDs(by request: Workflow.Request, _ response: OperationResponse) -> [String] {
    guard confirmations.isUsed, request.isWrite, let body = try? response.body.json() else {
      return []
    }
    return body.madeIDs
  }

  /// Handles the answer to checks.
  mutating func handleCheckResults(
    for instances: [Int], _ call: CallUnderWay, _ answered: AnsweredCall, at now: Duration
  ) {
    for (index, instance) in instances.enumerated() {
      guard var doubt = self.instances[instance].doubt,
        let confirmation = request(of: instance).confirmation
      else { continue }
      let timing = Doubt.Timing(
        startedAt: call.startedAt, endedAt: now, delay: answered.serverDelay(forOperation: index),
        within: confirmation.within)
      let conclusion: Doubt.Conclusion
      do throws(AnsweredCall.Rejection) {
        let response = try answered.response(ofOperation: index)
        conclusion = self.conclusion(for: instance, from: response, &doubt, timing)
      } catch {
        if retryCheck(of: instance, after: error.failure, answered, (index, call), at: now) {
          continue
        }
        conclusion = doubt.recordFailure(error.failure, timing)
      }
      apply(conclusion, to: instance, doubt, at: now)
    }
  }

  private mutating func conclusion(
    for instance: Int, from response: OperationResponse, _ doubt: inout Doubt,
    _ timing: Doubt.Timing
  ) -> Doubt.Conclusion {
    guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
      return doubt.recordFailure(.unreadableCheck, timing)
    }
    if Redaction.mayContainSecret(response.body.text) { mask.record(from: body) }
    guard let confirmation = request(of: instance).confirmation else { return .open }
    do throws(BindingFailure) {
      let reading = try reading(of: confirmation, for: instance, at: doubt.checkedAt(timing))
      return doubt.recordAnswer(body, reading: reading, timing)
    } catch {
      return .undecided(.checkFailed(error.failure))
    }
  }

  private mutating func apply(
    _ conclusion: Doubt.Conclusion, to instance: Int, _ doubt: Doubt, at now: Duration
  ) {
    switch conclusion {
    case .open: instances[instance].phase = .doubtful(doubt)
    case .happened(let node): completeFoundWrite(instance, by: node, at: now)
    case .didNotHappen: sendAgainOrFail(instance, doubt, at: now)
    case .undecided(let reason): stayInDoubt(instance, because: reason, at: now)
    }
  }

  /// How the answer to a check that was sent at a time is read.
  ///
  /// - Throws: if a value for the comparison is missing.
  func reading(
    of confirmation: Workflow.Confirmation, for instance: Int, at time: Duration
  ) throws(BindingFailure) -> CheckReading {
    let bindings = bindings(for: instance)
    let match = try bindings.selection(confirmation.match)
    var result: CheckReading.Selection?
    if let written = confirmation.result { result = try bindings.selection(written) }
    let evidence = instances[instance].evidence ?? WriteEvidence()
    return CheckReading(
      match: match, result: result,
      evidence: evidence.discardingStaleTimes(by: confirmations.clock, at: time),
      claimed: confirmations.claims)
  }

  /// Sends a write that did not happen again if its retry policy allows it; else it fails.
  private mutating func sendAgainOrFail(_ instance: Int, _ doubt: Doubt, at now: Duration) {
    var failure = doubt.failure
    failure.hint = Failure.notFoundHint
    instances[instance].lastFailure = failure
    confirmations.doubtful.remove(instance)
    if let time = resendTime(of: instance, doubt, at: now) {
      postpone(instance, until: time)
    } else {
      completeInstance(
        instance, Ending(status: .failed, failure: failure, resolvedPath: sentPath(of: instance)),
        code: doubt.code, at: now)
    }
  }

  /// When a write that did not happen is sent again; nil if not at all.
  private func resendTime(of instance: Int, _ doubt: Doubt, at now: Duration) -> Duration? {
    guard !isHeldBack(instance) else { return nil }
    let time = max(now, doubt.resendNotBefore)
    // A resumed run counts only its own attempts.
    let attempts = instances[instance].attempts
    guard attempts.first != nil else { return time }
    return request(of: instance).retry?.allowsAttempt(after: attempts, at: time) == true
      ? time : nil
  }

  /// Completes a write that a check found.
  private mutating func completeFoundWrite(_ instance: Int, by node: FoundNode, at now: Duration) {
    instances[instance].hasTakenEffect = true
    let body = ResponseBody(Array(node.body.serialized().utf8))
    bodies.keep(body, of: instance)
    var ending = Ending(
      .succeeded, found: body, madeIDs: node.ids, resolvedPath: sentPath(of: instance))
    do throws(BindingFailure) {
      ending.expectations = try verdicts(instance, nil, root: node.body)
      if let broken = ending.expectations.first(where: { !$0.passed }) {
        ending.status = .failed
        ending.failure = Failure(brokenExpectation: broken)
      }
    } catch {
      ending.status = .failed
      ending.failure = error.failure
    }
    completeInstance(instance, ending, at: now)
  }

  /// Ends a write in doubt: checks could not decide it, and a person has to.
  mutating func stayInDoubt(_ instance: Int, because reason: RemainingDoubt, at now: Duration) {
    guard let doubt = instances[instance].doubt else { return }
    var failure = doubt.failure
    failure.hint = "\(reason.sentence); \(Failure.doubtHint)"
    completeInstance(
      instance, Ending(status: .inDoubt, failure: failure, resolvedPath: sentPath(of: instance)),
      code: doubt.code, at: now)
  }

  /// The path of a write, if its placeholders can still be filled.
  private func sentPath(of instance: Int) -> String? {
    try? bindings(for: instance).boundPath(request(of: instance).path).text
  }
}

extension Bindings {
  /// A selection with the values of its operands.
  ///
  /// - Throws: if an operand has no value: missing equals missing, so it would match any node.
  fileprivate func selection(
    _ selection: NodeSelection
  ) throws(BindingFailure) -> CheckReading.Selection {
    let operands = try operands(of: selection.expression)
    for (placeholder, values) in zip(selection.expression.placeholders, operands)
    where values.isEmpty { throw .unresolved(placeholder) }
    return CheckReading.Selection(query: selection.query, operands: operands)
  }
}

/// Confirmation checks for writes in doubt: which are ready, and their calls.
extension RunState {
  /// The writes whose checks are ready to be sent, in order.
  func readyChecks(at now: Duration) -> [Int] {
    confirmations.doubtful.sorted().filter { instance in
      guard let time = checkTime(of: instance) else { return false }
      return time <= now
    }
  }

  /// When the next check is ready; nil if none is scheduled.
  var earliestCheck: Duration? { confirmations.doubtful.compactMap(checkTime).min() }

  /// When the check of a write is ready; nil if it is under way, or waits for another request.
  private func checkTime(of instance: Int) -> Duration? {
    guard case .scheduled(let time) = instances[instance].doubt?.step,
      hasFinishedCheckReferences(instance)
    else { return nil }
    return time
  }

  /// Whether every request that a check refers to is finished.
  ///
  /// If this run sent the write itself, they are. A resumed run may first have to request a body
  /// again that held a secret.
  private func hasFinishedCheckReferences(_ instance: Int) -> Bool {
    let request = request(of: instance)
    var placeholders = request.confirmation?.placeholders ?? []
    if case .reference(let template) = request.token { placeholders += template.placeholders }
    return placeholders.compactMap(\.reference).allSatisfy { reference in
      if let referred = bodies.instance(of: reference, seenFrom: item(of: instance)) {
        return instances[referred].isFinished
      }
      return graph.group(of: reference.request).map { groups[$0].isFinished } ?? true
    }
  }

  /// Starts the next call of this round's checks, if one may be started now.
  ///
  /// Checks are sent before the next round is packed, while nothing else is under way. So the ids of
  /// all answered writes are known.
  mutating func nextCheck(at now: Duration) -> Call? {
    while !confirmations.pendingChecks.isEmpty, underWay.count < options.concurrency {
      let tokens = tokens(ofChecks: confirmations.pendingChecks)
      guard let count = allowedOperations(for: tokens, at: now) else { return nil }
      if let call = startChecks(atMost: count, at: now) { return call }
    }
    return nil
  }

  /// Starts the checks that share the next batch; nil if none of them can be bound.
  private mutating func startChecks(atMost count: Int, at now: Duration) -> Call? {
    var members: [Int] = []
    var operations: [BoundOperation] = []
    var isAlone = false
    let width = min(options.limits.width, max(count, 1))
    while !isAlone, let instance = confirmations.pendingChecks.first, members.count < width {
      do throws(BindingFailure) {
        let (bound, token) = try boundCheck(for: instance)
        if bound.mustBeSentAlone && !members.isEmpty { break }
        confirmations.pendingChecks.removeFirst()
        members.append(instance)
        operations.append((bound.operation, token))
        isAlone = bound.mustBeSentAlone
      } catch {
        confirmations.pendingChecks.removeFirst()
        stayInDoubt(instance, because: .checkFailed(error.failure), at: now)
      }
    }
    for instance in members {
      guard var doubt = instances[instance].doubt else { continue }
      doubt.step = .underWay(since: now)
      instances[instance].phase = .doubtful(doubt)
    }
    return startCall(
      operations, isAlone: isAlone, for: .checks(members), attempts: members.map(attemptID),
      timeout: members.map { request(of: $0).timeout }.max() ?? .seconds(60), at: now)
  }

  private func boundCheck(
    for instance: Int
  ) throws(BindingFailure) -> (bound: BoundRequest, token: AccessToken) {
    let request = request(of: instance)
    guard let doubt = instances[instance].doubt, let confirmation = request.confirmation else {
      throw .noCheck
    }
    // A check whose answer could not be read is not sent.
    _ = try reading(of: confirmation, for: instance, at: .zero)
    var bound = try bindings(for: instance).bound(confirmation, for: request)
    doubt.pages?.collection.turn(&bound.operation)
    switch standing(of: bound.token, for: instance) {
    case .usable(let token): return (bound, token)
    case .unread: throw .noToken("the profile has no token")
    case .unusable(let failure): throw .noToken(failure.error.message)
    }
  }
}

extension BindingFailure {
  fileprivate static let noCheck = BindingFailure(
    reason: .unknown, message: "the request has no `confirm`",
    hint: "add a `confirm` that finds the write")

  fileprivate static func noToken(_ problem: String) -> BindingFailure {
    BindingFailure(
      reason: .token, message: problem, hint: "set GRAPHFLOW_ACCESS_TOKEN or configure the profile")
  }
}
