import GraphAPI
import JSONPath

/// Turns the result of an HTTP call into the outcomes of its operations.
extension RunState {
  /// Processes the result of ``Action/send(_:)``.
  package mutating func handleCallResult(
    _ result: CallResult, forCall number: Int, at now: Duration
  ) {
    guard let call = underWay.removeValue(forKey: number) else { return }
    let answered = AnsweredCall(result, rules: workflow.errors)
    tally.unsafeWrites -= call.unsafeWrites
    recordServerTime(of: result, call, at: now)
    updatePace(of: answered, forCall: number, at: now)
    events.append(.callEnded(callEnd(call, answered, at: now)))
    if answered.reachedServer { tally.wasReached = true }
    if isCancelled, answered.isAbandoned { hasGivenUpCalls = true }
    switch call.purpose {
    case .probe: break
    case .permissions(let subjects): handlePermissionResults(answered, subjects, call, at: now)
    case .baselines(let readings): handleBaselineResults(readings, call, answered, at: now)
    case .checks(let instances): handleCheckResults(for: instances, call, answered, at: now)
    case .operations(let members):
      let collapse = recordCollapse(of: call, answered)
      // Operations that Graph certainly refused, or skipped because of a refused one.
      var refused: Set<Int> = []
      for (index, member) in members.enumerated() {
        let attempt = Attempt(
          member: member, call: call, item: index, isRefusal: answered.isRefusal, end: now,
          collapse: collapse)
        if handleOperation(attempt, answered, refused) { refused.insert(member.request) }
      }
      if let collapse { isolate(members, collapse) }
    }
  }

  /// An attempt at one operation of a call that has finished.
  struct Attempt {
    let member: PackedBatch.Member
    let call: CallUnderWay
    /// Its place in the batch.
    let item: Int
    /// Whether Graph refused the whole batch.
    let isRefusal: Bool
    let end: Duration
    /// How its call failed as a whole, if it did.
    let collapse: FailedBatches.Collapse?

    var instance: Int { member.request }
    /// The operations of the same batch whose success is a condition for running this one.
    var predecessors: [Int] { member.references + [member.dependsOn].compactMap(\.self) }
    /// The token that an error is about.
    var blamedToken: AccessToken? { call.token(ofItem: isRefusal ? 0 : item) }
    /// Whether an error is about another operation's token: then Graph did not examine this one.
    var mayBlameAnotherToken: Bool { blamedToken != call.token(ofItem: item) }
  }

  /// Processes the answer to one operation.
  ///
  /// Graph skips the dependents of an operation that fails with a status of 400 or more. An
  /// operation without a usable answer proves nothing: it and its dependents may have succeeded.
  ///
  /// - Returns: Whether Graph certainly did not run the operations that depend on this one.
  private mutating func handleOperation(
    _ attempt: Attempt, _ answered: AnsweredCall, _ refused: Set<Int>
  ) -> Bool {
    switch answered.verdict(ofOperation: attempt.item) {
    case .succeeded(let response):
      handleSuccess(attempt, response)
      return false
    case .omitted:
      handleSuccess(attempt, .omitted)
      return false
    case .rejected(let rejection)
    where rejection.source == .unexecuted && !refused.isDisjoint(with: attempt.predecessors):
      // Graph did not run it, because a predecessor failed: no attempt was made.
      instances[attempt.instance].attempts.refund(.notMade)
      instances[attempt.instance].phase = .waiting
      return true
    case .rejected(let rejection):
      let isSafe =
        rejection.classification.provesNothingHappened
        || !request(of: attempt.instance).isUnsafeWrite
      let trouble = TokenTrouble(rejection.failure)
      if isSafe, attempt.mayBlameAnotherToken, trouble != nil {
        instances[attempt.instance].attempts.refund(.refusedForAnother)
        postpone(attempt.instance, until: attempt.end)
        return false
      }
      handleRejection(attempt, rejection, atLeast: answered.serverDelay(forOperation: attempt.item))
      return rejection.stopsDependents
    }
  }

  private mutating func handleSuccess(_ attempt: Attempt, _ response: OperationResponse) {
    let instance = attempt.instance
    let request = request(of: instance)
    if request.isWrite { instances[instance].hasTakenEffect = true }
    recordSecrets(in: response.body.text, of: graph.request(of: instance))
    var isNoted = false
    do throws(BindingFailure) {
      let response = try withAllPages(response, attempt)
      guard let response, try holdsByNow(attempt, response) else {
        instances[instance].attempts.refund(.notMade)
        return
      }
      recordAttempt(attempt, .succeeded, code: response.code)
      isNoted = true
      bodies.keep(response.body, of: instance)
      let path = try resolvedPath(attempt)
      let root = request.expect.isEmpty ? nil : try? response.body.json()
      let expectations = try verdicts(instance, response, root: root)
      let broken = expectations.first { !$0.passed }.map(Failure.init(brokenExpectation:))
      if let broken, !request.isWrite,
        let time = retryTime(of: instance, after: broken, atLeast: nil, at: attempt.end)
      {
        instances[instance].lastFailure = broken
        postpone(instance, until: time)
        return
      }
      completeInstance(
        instance,
        Ending(
          status: broken == nil ? .succeeded : .failed, response: response, failure: broken,
          expectations: expectations, resolvedPath: path, madeIDs: madeIDs(by: request, response)),
        at: attempt.end)
    } catch {
      if !isNoted { recordAttempt(attempt, .succeeded, code: response.code) }
      completeInstance(
        instance,
        Ending(
          status: .failed, response: response, failure: error.failure,
          madeIDs: madeIDs(by: request, response)), at: attempt.end)
    }
  }

  /// The path that was sent, with the values that Graph filled in.
  ///
  /// - Returns: The path; nil if Graph filled in a value that the run did not receive.
  /// - Throws: A failure if a reference that was left to Graph selects nothing. This is a failure
  ///   whether Graph or the run resolves the reference.
  private func resolvedPath(_ attempt: Attempt) throws(BindingFailure) -> String? {
    let isHere = attempt.member.references.allSatisfy {
      instances[$0].hasSucceeded || bodies[$0] != nil
    }
    guard isHere else { return nil }
    if attempt.member.references.isEmpty, let bound = instances[attempt.instance].$bound {
      return bound.value.operation.path
    }
    return try bindings(for: attempt.instance)
      .bound(request(of: attempt.instance), readFile: { _ in [] }).operation.path
  }

  private mutating func handleRejection(
    _ attempt: Attempt, _ rejection: AnsweredCall.Rejection, atLeast serverDelay: Duration?
  ) {
    let (index, code, classification) = (attempt.instance, rejection.code, rejection.classification)
    let request = request(of: index)
    if rejection.source == .answer, isDoneAlready(index, classification) {
      recordAttempt(attempt, .succeeded, code: code)
      instances[index].hasTakenEffect = true
      completeInstance(index, Ending(status: .succeeded), code: code, at: attempt.end)
      return
    }
    // A POST refused as a duplicate took effect if an earlier attempt was never answered.
    let isRepetition =
      request.method == .post && classification.reason == .duplicate
      && instances[index].unprovedSince != nil
    if !classification.provesNothingHappened {
      instances[index].unprovedSince =
        instances[index].unprovedSince ?? wallClock(at: attempt.call.startedAt)
    }
    if classification.provesNothingHappened, let unresolved = unresolvedReference(attempt) {
      recordAttempt(attempt, .failed, code: code, unresolved)
      completeInstance(
        index, Ending(status: .failed, failure: unresolved), code: code, at: attempt.end)
      return
    }
    var failure = rejection.failure
    let isSafe =
      !isRepetition && (classification.provesNothingHappened || !request.isUnsafeWrite)
    if !isSafe { failure.hint = isRepetition ? Failure.repetitionHint : Failure.doubtHint }
    instances[index].lastFailure = failure
    recordAttempt(attempt, isSafe ? .failed : .inDoubt, code: code, failure)
    let blamed = attempt.blamedToken.flatMap {
      recordTokenFailure(from: failure, index, with: $0, at: attempt.end)
    }
    guard isSafe else {
      putInDoubt(index, failure, code: code, atLeast: serverDelay, at: attempt.end)
      return
    }
    if classification.provesNothingHappened, isBlockedByFailure(attempt) {
      instances[index].phase = .waiting
      return
    }
    retryOrEnd(attempt, failure, blaming: blamed, code: code, atLeast: serverDelay)
  }

  /// Schedules another attempt where the retry policy allows it; otherwise completes the instance.
  ///
  /// The attempt certainly had no effect, or may be repeated.
  private mutating func retryOrEnd(
    _ attempt: Attempt, _ failure: Failure, blaming token: AccessToken?, code: Int?,
    atLeast serverDelay: Duration?
  ) {
    let index = attempt.instance
    let ending = Ending(
      status: .failed, failure: failure, resolvedPath: (try? resolvedPath(attempt)) ?? nil)
    if let token {
      awaitRecovery(
        index,
        ProfileTokens.Waiting(token: token, ending: ending, code: code, serverDelay: serverDelay))
    } else if let time = retryTime(
      of: index, after: failure,
      isForSize: attempt.collapse == .oversized && !request(of: index).isWrite,
      atLeast: serverDelay, at: attempt.end)
    {
      postpone(index, until: time)
    } else {
      completeInstance(index, ending, code: code, at: attempt.end)
    }
  }

  /// Whether an earlier attempt, which was never answered, has already deleted the node.
  private func isDoneAlready(_ instance: Int, _ classification: Classification) -> Bool {
    request(of: instance).method == .delete && instances[instance].unprovedSince != nil
      && classification.reason == .notFound
  }

  /// The failure of a reference that Graph had to fill in and that selects nothing.
  ///
  /// - Returns: The failure; nil if the operation was refused for another reason, or along with the
  ///   request that it refers to.
  private func unresolvedReference(_ attempt: Attempt) -> Failure? {
    guard !attempt.member.references.isEmpty,
      attempt.member.references.allSatisfy({ instances[$0].hasSucceeded })
    else { return nil }
    do throws(BindingFailure) {
      _ = try bindings(for: attempt.instance)
        .bound(request(of: attempt.instance), readFile: { _ in [] })
      return nil
    } catch {
      return error.reason == .unresolvedReference ? error.failure : nil
    }
  }

  /// Whether a predecessor in the same call has failed for good, and no attempt of the operation
  /// itself had an effect.
  ///
  /// The operation then counts as not sent: it is evaluated again, and skipped.
  private func isBlockedByFailure(_ attempt: Attempt) -> Bool {
    guard !request(of: attempt.instance).runsAfterFailure,
      instances[attempt.instance].unprovedSince == nil
    else { return false }
    return attempt.predecessors.contains { instances[$0].isFinished && !instances[$0].hasSucceeded }
  }

  mutating func postpone(_ index: Int, until wakeUp: Duration) {
    instances[index].phase = .delayed(until: wakeUp)
    delayed.insert(index)
  }

  /// When a failed request is sent again; nil if it is not sent again.
  mutating func retryTime(
    of instance: Int, after failure: Failure, isForSize: Bool = false,
    atLeast serverDelay: Duration?, at now: Duration
  ) -> Duration? {
    var generator = roundGenerator
    let decision = request(of: instance).retry?.decision(
      after: failure, of: instances[instance].attempts, isForSize: isForSize, atLeast: serverDelay,
      at: now, using: &generator)
    guard case .retry(let delay, let isCounted) = decision else { return nil }
    if !isCounted { instances[instance].attempts.refund(.waiting) }
    return now + delay
  }

  private mutating func recordAttempt(
    _ attempt: Attempt, _ outcome: AttemptOutcome, code: Int?, _ failure: Failure? = nil
  ) {
    events.append(
      .attemptEnded(
        AttemptEnd(
          attempt: attemptID(of: attempt.instance), call: attempt.call.number,
          startedAt: wallClock(at: attempt.call.startedAt),
          durationMilliseconds: (attempt.end - attempt.call.startedAt).milliseconds,
          outcome: outcome, code: code, failure: failure)))
  }

  private func callEnd(_ call: CallUnderWay, _ answered: AnsweredCall, at now: Duration) -> CallEnd
  {
    var end = CallEnd(
      number: call.number, durationMilliseconds: (now - call.startedAt).milliseconds,
      httpStatus: nil, bytesSent: 0, bytesReceived: 0, usage: nil, failure: nil)
    switch answered.result {
    case .failed(let failure): end.failure = failure.message
    case .answered(let answer, let facts):
      end.httpStatus = facts.status
      end.bytesSent = facts.bytesSent
      end.bytesReceived = facts.bytesReceived
      end.usage = answered.usage.isEmpty ? nil : answered.usage.json
      switch answer {
      case .items(let items): end.failure = CallResult.unusable(items)
      case .refused(let error, _): end.failure = error.message
      case .unreadable(_, let problem): end.failure = problem
      }
    }
    return end
  }
}
