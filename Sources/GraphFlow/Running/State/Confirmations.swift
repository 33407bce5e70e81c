import GraphAPI
import JSONPath

/// The checks for writes whose outcome is unknown, until they decide it.
struct Confirmations: Sendable {
  private let facts: RunFacts
  /// Graph's clock, estimated from its answers.
  private(set) var clock = ServerClock()
  /// What checks showed before writes were sent.
  var baselines = BaselineCache()
  /// The writes whose checks of this round were not started yet.
  private(set) var pending: ArraySlice<Int> = []

  init(_ facts: RunFacts) { self.facts = facts }

  /// Updates the estimate of Graph's clock from an answer; false if the answer has no `Date`.
  mutating func recordTime(of result: CallResult, to call: CallUnderWay, at now: Duration) -> Bool {
    guard case .answered(_, let facts) = result, let date = facts.date else { return false }
    clock.record(date, startedAt: call.startedAt, endedAt: now)
    return true
  }

  // MARK: - Sending checks

  /// Chooses the writes to check in this round; false if no check is ready.
  mutating func beginRound(_ progress: RunProgress) -> Bool {
    pending =
      progress.instances.doubtful.sorted().filter { instance in
        time(of: instance, progress).map { $0 <= progress.now } ?? false
      }[...]
    return !pending.isEmpty
  }

  /// When the next check is ready; nil if none is scheduled.
  func earliestCheck(_ progress: RunProgress) -> Duration? {
    progress.instances.doubtful.compactMap { time(of: $0, progress) }.min()
  }

  /// When the check of a write is ready; nil if it is under way, or waits for another request.
  private func time(of instance: Int, _ progress: RunProgress) -> Duration? {
    guard case .scheduled(let time) = progress[instance].doubt?.step,
      hasFinishedReferences(instance, progress)
    else { return nil }
    return time
  }

  /// Whether every request that a check refers to is finished.
  ///
  /// If this run sent the write itself, they are. A resumed run may first have to request a body
  /// again that held a secret.
  private func hasFinishedReferences(_ instance: Int, _ progress: RunProgress) -> Bool {
    let request = facts.request(of: instance)
    var placeholders = request.confirmation?.placeholders ?? []
    placeholders += request.token.templates.flatMap(\.placeholders)
    return placeholders.compactMap(\.reference).allSatisfy { reference in
      let item = progress.items.item(of: instance)
      if let referred = progress.bodies.instance(of: reference, seenFrom: item) {
        return progress[referred].isFinished
      }
      return facts.graph.group(of: reference.request).map { progress.items[$0].isFinished } ?? true
    }
  }

  /// The checks that share the next call; those that cannot be bound leave their writes in doubt.
  mutating func nextCall(
    atMost count: Int, _ progress: inout RunProgress, _ credentials: Credentials
  ) -> CallDraft {
    var members: [Int] = []
    var operations = BoundOperations()
    var isAlone = false
    let width = min(facts.options.limits.width, max(count, 1))
    while !isAlone, let instance = pending.first, members.count < width {
      do throws(Failure) {
        let (bound, token) = try boundCheck(for: instance, progress, credentials)
        if bound.mustBeSentAlone && !members.isEmpty { break }
        pending.removeFirst()
        members.append(instance)
        operations.append(bound.operation, with: token, about: bound.subject)
        isAlone = bound.mustBeSentAlone
      } catch {
        pending.removeFirst()
        stayInDoubt(instance, because: .checkFailed(error), &progress)
      }
    }
    for instance in members {
      guard var doubt = progress[instance].doubt else { continue }
      doubt.step = .underWay
      progress.move(instance, to: .doubtful(doubt))
    }
    var draft = CallDraft(operations, for: .checks(members))
    draft.isAlone = isAlone
    draft.attempts = members.map(progress.attemptID)
    draft.timeout = members.map { facts.request(of: $0).timeout }.max() ?? draft.timeout
    return draft
  }

  private func boundCheck(
    for instance: Int, _ progress: RunProgress, _ credentials: Credentials
  ) throws(Failure) -> (bound: BoundRequest, token: AccessToken) {
    let request = facts.request(of: instance)
    guard let doubt = progress[instance].doubt, let confirmation = request.confirmation else {
      throw .noCheck
    }
    // A check whose answer could not be read is not sent.
    _ = try reading(of: confirmation, for: instance, progress, at: .zero)
    var bound = try progress.bindings(for: instance).bound(confirmation, for: request)
    doubt.pages?.collection.turn(&bound.operation)
    try facts.check(bound)
    switch credentials.standing(of: bound.token, for: instance) {
    case .usable(let token): return (bound, token)
    case .unread: throw .noToken("the profile has no token")
    case .unusable(let failure): throw .noToken(failure.error.message)
    }
  }

  /// How the answer to a check that was sent at a time is read.
  ///
  /// - Throws: if a value for the comparison is missing.
  private func reading(
    of confirmation: Workflow.Confirmation, for instance: Int, _ progress: RunProgress,
    at time: Duration
  ) throws(Failure) -> CheckReading {
    let bindings = progress.bindings(for: instance)
    let match = try bindings.selection(confirmation.match)
    var result: CheckReading.Selection?
    if let written = confirmation.result { result = try bindings.selection(written) }
    let evidence = progress[instance].evidence ?? WriteEvidence()
    return CheckReading(
      match: match, result: result, evidence: evidence.discardingStaleTimes(by: clock, at: time),
      claimed: progress.claims)
  }

  // MARK: - Answers

  /// Handles the answer to checks.
  func handle(
    _ answered: AnsweredCall, to call: CallUnderWay, for instances: [Int],
    _ progress: inout RunProgress, _ credentials: inout Credentials
  ) {
    for (index, instance) in instances.enumerated() {
      guard var doubt = progress[instance].doubt,
        let confirmation = facts.request(of: instance).confirmation
      else { continue }
      let timing = Doubt.Timing(
        startedAt: call.startedAt, endedAt: progress.now,
        delay: answered.serverDelay(forOperation: index),
        within: confirmation.within)
      let conclusion: Doubt.Conclusion
      do throws(AnsweredCall.Rejection) {
        let response = try answered.response(ofOperation: index)
        conclusion = self.conclusion(
          for: instance, confirmation, from: response, &doubt, timing, &progress)
      } catch {
        if mayRepeat(
          checkOf: instance, after: error.failure, answered, (index, call), &credentials,
          at: progress.time)
        {
          doubt.step = .scheduled(at: progress.now)
          conclusion = .open
        } else {
          conclusion = doubt.recordFailure(error.failure, timing)
        }
      }
      switch conclusion {
      case .open: progress.move(instance, to: .doubtful(doubt))
      case .happened(let node): complete(instance, foundAs: node, &progress)
      case .didNotHappen: sendAgainOrFail(instance, doubt, &progress)
      case .undecided(let reason): stayInDoubt(instance, because: reason, &progress)
      }
    }
  }

  private func conclusion(
    for instance: Int, _ confirmation: Workflow.Confirmation, from response: OperationResponse,
    _ doubt: inout Doubt, _ timing: Doubt.Timing, _ progress: inout RunProgress
  ) -> Doubt.Conclusion {
    guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
      return doubt.recordFailure(.unreadableCheck, timing)
    }
    progress.log.recordSecrets(in: body, checked: response)
    do throws(Failure) {
      let reading = try reading(
        of: confirmation, for: instance, progress, at: doubt.checkedAt(timing))
      return doubt.recordAnswer(body, reading: reading, timing)
    } catch {
      return .undecided(.checkFailed(error))
    }
  }

  /// Whether a check that failed because of a token is sent again; not if there is no other token.
  private func mayRepeat(
    checkOf instance: Int, after failure: Failure, _ answered: AnsweredCall,
    _ place: (index: Int, call: CallUnderWay), _ credentials: inout Credentials, at time: Timestamp
  ) -> Bool {
    guard let trouble = TokenTrouble(failure), let token = place.call.token(ofItem: place.index)
    else { return false }
    if answered.isRefusal, token != place.call.token(ofItem: 0) { return true }
    let profile = facts.profile(of: instance)
    credentials.recordTrouble(trouble, with: token, failure, of: profile, at: time)
    return credentials.tokens.mayReplace(token, of: profile)
  }

  /// Sends a write that did not happen again if its retry policy allows it; else it fails.
  private func sendAgainOrFail(_ instance: Int, _ doubt: Doubt, _ progress: inout RunProgress) {
    var failure = doubt.failure
    failure.hint = Failure.notFoundHint
    progress[instance].lastFailure = failure
    if let time = resendTime(of: instance, doubt, progress) {
      progress.postpone(instance, until: time)
    } else {
      end(instance, .failed, failure, doubt, &progress)
    }
  }

  /// When a write that did not happen is sent again; nil if not at all.
  private func resendTime(of instance: Int, _ doubt: Doubt, _ progress: RunProgress) -> Duration? {
    guard !progress.isHeldBack(instance) else { return nil }
    let time = max(progress.now, doubt.resendNotBefore)
    // A resumed run counts only its own attempts.
    let attempts = progress[instance].attempts
    guard attempts.first != nil else { return time }
    return facts.request(of: instance).retry?.allowsAttempt(after: attempts, at: time) == true
      ? time : nil
  }

  /// Ends a write in doubt: checks could not decide it, and a person has to.
  private func stayInDoubt(
    _ instance: Int, because reason: RemainingDoubt, _ progress: inout RunProgress
  ) {
    guard let doubt = progress[instance].doubt else { return }
    var failure = doubt.failure
    failure.hint = "\(reason.sentence); \(Failure.doubtHint)"
    end(instance, .inDoubt, failure, doubt, &progress)
  }

  private func end(
    _ instance: Int, _ status: RequestStatus, _ failure: Failure, _ doubt: Doubt,
    _ progress: inout RunProgress
  ) {
    let path = sentPath(of: instance, progress)
    let ending = Ending(status: status, failure: failure, resolvedPath: path)
    progress.complete(instance, ending, code: doubt.code)
  }

  /// Completes a write that a check found.
  private func complete(_ instance: Int, foundAs node: FoundNode, _ progress: inout RunProgress) {
    progress[instance].hasTakenEffect = true
    let body = ResponseBody(Array(node.body.serialized().utf8))
    progress.keepBody(body, of: instance)
    var ending = Ending(
      status: .succeeded, resolvedPath: sentPath(of: instance, progress), madeIDs: node.ids)
    ending.body = body
    do throws(Failure) {
      ending.expectations = try progress.verdicts(instance, nil, root: node.body)
      ending.failure = ending.expectations.first { !$0.passed }?.failure
    } catch {
      ending.failure = error
    }
    if ending.failure != nil { ending.status = .failed }
    progress.complete(instance, ending)
  }

  /// The path of a write, if its placeholders can still be filled.
  private func sentPath(of instance: Int, _ progress: RunProgress) -> String? {
    let path = facts.request(of: instance).path
    return try? progress.bindings(for: instance).boundPath(path).text
  }
}

extension Bindings {
  /// A selection with the values of its operands.
  ///
  /// - Throws: if an operand has no value: missing equals missing, so it would match any node.
  fileprivate func selection(
    _ selection: NodeSelection
  ) throws(Failure) -> CheckReading.Selection {
    let operands = try operands(of: selection.expression)
    for (placeholder, values) in zip(selection.expression.placeholders, operands)
    where values.isEmpty { throw .unresolved(placeholder) }
    return CheckReading.Selection(query: selection.query, operands: operands)
  }
}
