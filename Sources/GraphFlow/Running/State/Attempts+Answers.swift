import GraphAPI
import JSONPath

/// Turns the result of a call into the outcomes of its operations.
extension Attempts {
  /// An attempt at one operation of a call that has finished.
  private struct Attempt {
    let member: PackedBatch.Member
    let call: CallUnderWay
    /// When its call was sent, and how long that took, in milliseconds.
    let (startedAt, duration): (Timestamp, Int64)
    /// Its place in the batch.
    let item: Int
    /// Whether Graph refused the whole batch.
    let isRefusal: Bool
    /// How its call failed as a whole, if it did.
    let collapse: FailedBatches.Collapse?
    /// Whether an ad account of the call has used up its limit of reach.
    let mayLackReach: Bool

    var instance: Int { member.request }
    /// The operations of the same batch whose success is a condition for running this one.
    var predecessors: [Int] { member.predecessors }
    /// The token that an error is about.
    var blamedToken: AccessToken? { call.token(ofItem: isRefusal ? 0 : item) }
    /// Whether an error is about another operation's token: then Graph did not examine this one.
    var mayBlameAnotherToken: Bool { blamedToken != call.token(ofItem: item) }
  }

  /// Handles the result of a call with operations.
  mutating func handle(
    _ answered: AnsweredCall, to call: CallUnderWay, with members: [PackedBatch.Member],
    _ progress: inout RunProgress, _ credentials: inout Credentials
  ) {
    let collapse = recordCollapse(of: call, with: members.count, answered)
    // Operations that Graph certainly refused, or skipped because of a refused one.
    var refused: Set<Int> = []
    let startedAt = progress.facts.wallClock(at: call.startedAt)
    let duration = (progress.now - call.startedAt).milliseconds
    for (index, member) in members.enumerated() {
      let attempt = Attempt(
        member: member, call: call, startedAt: startedAt, duration: duration, item: index,
        isRefusal: answered.isRefusal, collapse: collapse,
        mayLackReach: answered.usage.adsInsightsReach ?? 0 >= 100)
      if let difference = answered.differences[index] {
        progress[member.request].note = difference
      }
      if handle(attempt, answered, refused, &progress, &credentials) {
        refused.insert(member.request)
      }
    }
    if let collapse { isolate(members, collapse, &progress) }
  }

  /// Handles the answer to one operation.
  ///
  /// Graph skips the dependents of an operation that fails with a status of 400 or more. An
  /// operation without a usable answer proves nothing: it and its dependents may have succeeded.
  ///
  /// - Returns: Whether Graph certainly did not run the operations that depend on this one.
  private func handle(
    _ attempt: Attempt, _ answered: AnsweredCall, _ refused: Set<Int>,
    _ progress: inout RunProgress, _ credentials: inout Credentials
  ) -> Bool {
    switch answered.verdict(ofOperation: attempt.item) {
    case .succeeded(let response):
      if let note = credentials.note(on: response.body, of: attempt.instance, progress) {
        progress[attempt.instance].note = note
      }
      handleSuccess(attempt, response, &progress)
      return false
    case .omitted:
      handleSuccess(attempt, .omitted, &progress)
      return false
    case .rejected(let rejection)
    where rejection.source == .unexecuted && !refused.isDisjoint(with: attempt.predecessors):
      // Graph did not run it, because a predecessor failed: no attempt was made.
      progress[attempt.instance].attempts.refund(.notMade)
      progress.move(attempt.instance, to: .waiting)
      return true
    case .rejected(let own):
      guard
        let rejection = progress.rejection(
          own, ofReport: attempt.instance, answered, sentAt: attempt.call.startedAt)
      else { return false }
      let isSafe =
        rejection.classification.provesNothingHappened
        || !progress.facts.request(of: attempt.instance).isUnsafeWrite
      let trouble = TokenTrouble(rejection.failure)
      if isSafe, attempt.mayBlameAnotherToken, trouble != nil {
        progress[attempt.instance].attempts.refund(.refusedForAnother)
        progress.postpone(attempt.instance, until: progress.now)
        return false
      }
      handleRejection(
        attempt, rejection, atLeast: answered.serverDelay(forOperation: attempt.item), &progress,
        &credentials)
      return rejection.stopsDependents
    }
  }

  private func handleSuccess(
    _ attempt: Attempt, _ response: OperationResponse, _ progress: inout RunProgress
  ) {
    let instance = attempt.instance
    let request = progress.facts.request(of: instance)
    if request.isWrite { progress[instance].hasTakenEffect = true }
    progress.log.recordSecrets(
      in: response.body, of: progress.facts.graph.request(of: instance))
    var isNoted = false
    do throws(Failure) {
      guard try progress.isAtRows(instance, response, sentAt: attempt.call.startedAt) else {
        return
      }
      if attempt.mayLackReach { try progress.checkReach(response, of: instance) }
      let response = try progress.withAllPages(response, of: instance)
      guard let response,
        try progress.holdsByNow(instance, response, sentAt: attempt.call.startedAt)
      else {
        progress[instance].attempts.refund(.notMade)
        return
      }
      guard let response = try progress.withAllParts(response, of: instance) else { return }
      record(attempt, .succeeded, code: response.code, &progress)
      isNoted = true
      if !progress.isHandedOver(instance) { progress.keepBody(response.body, of: instance) }
      let path = try progress.resolvedPath(of: attempt.member)
      let root = request.expect.isEmpty ? nil : try? response.body.json()
      let expectations = try progress.verdicts(instance, response, root: root)
      let missing = progress[instance].split?.missing
      let broken = missing ?? expectations.first { !$0.passed }?.failure
      if let broken, missing == nil, !request.isWrite,
        let time = retries.time(
          of: instance, after: broken, atLeast: nil, &progress)
      {
        progress[instance].lastFailure = broken
        progress[instance].split = nil
        progress.postpone(instance, until: time)
        return
      }
      progress.complete(
        instance,
        Ending(
          status: broken == nil ? .succeeded : .failed, response: response, failure: broken,
          expectations: expectations, resolvedPath: path,
          madeIDs: progress.facts.madeIDs(by: request, response)))
    } catch {
      if request.isReport, progress[instance].polling?.isComplete != true {
        endReport(attempt, error, response, &progress)
        return
      }
      if !isNoted { record(attempt, .succeeded, code: response.code, &progress) }
      progress.complete(
        instance,
        Ending(
          status: .failed, response: response, failure: error,
          madeIDs: progress.facts.madeIDs(by: request, response)))
    }
  }

  /// Ends a report that has no rows, or starts it again where the retry policy allows it.
  private func endReport(
    _ attempt: Attempt, _ failure: Failure, _ response: OperationResponse,
    _ progress: inout RunProgress
  ) {
    let instance = attempt.instance
    record(attempt, .failed, code: response.code, because: failure, &progress)
    // A run that takes too long may still be polled by a resumed run.
    if failure.reason != .timeout { progress.loseReportRun(of: instance) }
    progress[instance].lastFailure = failure
    if let time = retries.time(of: instance, after: failure, atLeast: nil, &progress) {
      progress.postpone(instance, until: time)
    } else if !progress.split(attempt.member, after: failure, isLastAttempt: true) {
      progress.complete(
        instance,
        Ending(
          status: .failed, response: response, failure: failure,
          resolvedPath: (try? progress.resolvedPath(of: attempt.member)) ?? nil))
    }
  }

  private func handleRejection(
    _ attempt: Attempt, _ rejection: AnsweredCall.Rejection, atLeast serverDelay: Duration?,
    _ progress: inout RunProgress, _ credentials: inout Credentials
  ) {
    let (index, code, classification) = (attempt.instance, rejection.code, rejection.classification)
    let request = progress.facts.request(of: index)
    let wasUnproved = progress[index].unprovedSince != nil
    // The node is gone: an earlier attempt, which was never answered, has already deleted it.
    if rejection.source == .answer, request.method == .delete, wasUnproved,
      classification.reason == .notFound
    {
      record(attempt, .succeeded, code: code, &progress)
      progress[index].hasTakenEffect = true
      progress.complete(index, Ending(status: .succeeded), code: code)
      return
    }
    // A POST refused as a duplicate took effect if an earlier attempt was never answered.
    let isRepetition =
      request.method == .post && classification.reason == .duplicate && wasUnproved
    if !classification.provesNothingHappened, !wasUnproved {
      progress[index].unprovedSince = attempt.startedAt
    }
    if classification.provesNothingHappened,
      let unresolved = progress.unresolvedReference(of: attempt.member)
    {
      record(attempt, .failed, code: code, because: unresolved, &progress)
      progress.complete(index, Ending(status: .failed, failure: unresolved), code: code)
      return
    }
    var failure = rejection.failure
    let isSafe =
      !isRepetition && (classification.provesNothingHappened || !request.isUnsafeWrite)
    if !isSafe { failure.hint = isRepetition ? Failure.repetitionHint : Failure.doubtHint }
    progress[index].lastFailure = failure
    record(attempt, isSafe ? .failed : .inDoubt, code: code, because: failure, &progress)
    let blamed = attempt.blamedToken.flatMap { token in
      credentials.recordFailure(failure, of: index, with: token, &progress)
        ? token : nil
    }
    guard isSafe else {
      progress.putInDoubt(index, failure, code: code, atLeast: serverDelay)
      return
    }
    if classification.provesNothingHappened, isBlockedByFailure(attempt, progress) {
      progress.move(index, to: .waiting)
      return
    }
    retryOrEnd(
      attempt, failure, blaming: blamed, code: code, atLeast: serverDelay, &progress, &credentials)
  }

  /// Schedules another attempt where the retry policy allows it; otherwise completes the instance.
  ///
  /// The attempt certainly had no effect, or may be repeated.
  private func retryOrEnd(
    _ attempt: Attempt, _ failure: Failure, blaming token: AccessToken?, code: Int?,
    atLeast serverDelay: Duration?, _ progress: inout RunProgress, _ credentials: inout Credentials
  ) {
    let index = attempt.instance
    let isRead = !progress.facts.request(of: index).isWrite
    let ending = Ending(
      status: .failed, failure: failure,
      resolvedPath: (try? progress.resolvedPath(of: attempt.member)) ?? nil)
    if let token {
      progress.move(index, to: .recovering)
      credentials.wait(
        index,
        ProfileTokens.Waiting(token: token, ending: ending, code: code, serverDelay: serverDelay))
      return
    }
    if progress.split(attempt.member, after: failure, isLastAttempt: false) { return }
    if let time = retries.time(
      of: index, after: failure,
      isForSize: attempt.collapse == .oversized && isRead, atLeast: serverDelay,
      &progress)
    {
      progress.postpone(index, until: time)
    } else if !progress.split(attempt.member, after: failure, isLastAttempt: true) {
      progress.complete(index, ending, code: code)
    }
  }

  /// Whether a predecessor in the same call has failed for good, and no attempt of the operation
  /// itself had an effect.
  ///
  /// The operation then counts as not sent: it is evaluated again, and skipped.
  private func isBlockedByFailure(_ attempt: Attempt, _ progress: RunProgress) -> Bool {
    guard !progress.facts.request(of: attempt.instance).runsAfterFailure,
      progress[attempt.instance].unprovedSince == nil
    else { return false }
    return attempt.predecessors.contains {
      progress[$0].isFinished && !progress[$0].hasSucceeded
    }
  }

  private func record(
    _ attempt: Attempt, _ outcome: AttemptOutcome, code: Int?, because failure: Failure? = nil,
    _ progress: inout RunProgress
  ) {
    var failure = failure
    // The outcome has the answer, too; a doubt may be all that a journal knows of a write.
    let isKept = outcome == .inDoubt && !progress.facts.request(of: attempt.instance).omitsResponse
    if !isKept { failure?.answer = nil }
    progress.log.append(
      .attemptEnded(
        AttemptEnd(
          attempt: progress.attemptID(of: attempt.instance), call: attempt.call.number,
          startedAt: attempt.startedAt, durationMilliseconds: attempt.duration, outcome: outcome,
          code: code, failure: failure)))
  }

  /// Sends the instances that waited for another token again, and ends those without one.
  func settleRecoveries(_ credentials: inout Credentials, _ progress: inout RunProgress) {
    // An early end may have completed what waited.
    for (instance, waiting) in credentials.takeSettled()
    where progress[instance].phase == .recovering {
      let (tokens, profile) = (credentials.tokens, progress.facts.profile(of: instance))
      if tokens.mayReplace(waiting.token, of: profile) {
        progress[instance].attempts.refund(.anotherToken)
        progress.postpone(instance, until: progress.now)
        continue
      }
      var ending = waiting.ending
      ending.failure = ending.failure.map {
        tokens.finalFailure($0, with: waiting.token, of: profile)
      }
      if let failure = ending.failure, !tokens.isRefused(waiting.token),
        let time = retries.time(
          of: instance, after: failure, atLeast: waiting.serverDelay, &progress)
      {
        progress.postpone(instance, until: time)
      } else {
        progress.complete(instance, ending, code: waiting.code)
      }
    }
  }
}
