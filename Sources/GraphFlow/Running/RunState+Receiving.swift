import GraphAPI
import JSONPath

/// From an HTTP answer to outcomes.
extension RunState {
  /// Hands in what came of ``Action/send(_:)``.
  public mutating func receive(_ result: CallResult, forCall number: Int, at now: Duration) {
    guard let call = underWay.removeValue(forKey: number) else { return }
    tally.unsafeWrites -= call.unsafeWrites
    events.append(.callEnded(callEnd(call, result, at: now)))
    if result.provesReach { tally.wasReached = true }
    switch call.purpose {
    case .permissions(let profile): receivePermissions(result, profile: profile, at: now)
    case .operations(let members):
      var succeeded: Set<Int> = []
      for (index, member) in members.enumerated() {
        let attempt = Attempt(member: member, call: call, end: now)
        if receive(attempt, result, item: index, &succeeded) { succeeded.insert(member.request) }
      }
    }
  }

  /// One operation's try, as it comes back.
  struct Attempt {
    let member: PackedBatch.Member
    let call: CallUnderWay
    let end: Duration

    var request: Int { member.request }
    /// The requests of the same batch without whose success it was not run.
    var predecessors: [Int] { member.references + [member.dependsOn].compactMap(\.self) }
  }

  /// Judges one operation; whether Graph answered it with success.
  private mutating func receive(
    _ attempt: Attempt,
    _ result: CallResult,
    item: Int,
    _ succeeded: inout Set<Int>
  ) -> Bool {
    switch result.answer(ofItem: item) {
    case .response(let response) where response.error == nil:
      succeed(attempt, response)
      return true
    case .omitted:
      succeed(attempt, OperationResponse(code: 200, body: .absent))
      return true
    case .notExecuted where !attempt.predecessors.allSatisfy(succeeded.contains):
      // Graph did not run it, because what it depends on failed: no attempt was made.
      requests[attempt.request].attempts -= 1
      requests[attempt.request].countedAttempts -= 1
      requests[attempt.request].phase = .waiting
      return false
    default:
      let (error, classification, code) = result.failure(ofItem: item, rules: workflow.errors)
      fail(attempt, error, classification, code: code, atLeast: result.serverDelay)
      return false
    }
  }

  private mutating func succeed(_ attempt: Attempt, _ response: OperationResponse) {
    let index = attempt.request
    let request = workflow.requests[index]
    if request.isWrite { requests[index].hasTakenEffect = true }
    note(attempt, .succeeded, code: response.code)
    if isReferred[index] || !request.expect.isEmpty {
      bodies[index] = try? response.body.document()
    }
    defer { if !isReferred[index] { bodies[index] = nil } }
    do throws(BindingFailure) {
      let path = try resolvedPath(attempt)
      let expectations = try verdicts(index, response)
      guard let broken = expectations.first(where: { !$0.passed }) else {
        end(
          index,
          Ending(
            status: .succeeded,
            response: response,
            expectations: expectations,
            resolvedPath: path
          ),
          at: attempt.end
        )
        return
      }
      let failure = Failure(brokenExpectation: broken)
      if !request.isWrite, let delay = delay(index, failure, atLeast: nil, at: attempt.end) {
        postpone(index, until: attempt.end + delay)
        return
      }
      end(
        index,
        Ending(
          status: .failed,
          response: response,
          failure: failure,
          expectations: expectations,
          resolvedPath: path
        ),
        at: attempt.end
      )
    } catch {
      end(
        index,
        Ending(status: .failed, response: response, failure: error.failure),
        at: attempt.end
      )
    }
  }

  /// The path that was sent, with what Graph put into it.
  ///
  /// - Throws: if a reference that was left to Graph selected nothing there: whoever resolves it,
  ///   that is a failure.
  private func resolvedPath(_ attempt: Attempt) throws(BindingFailure) -> String {
    let request = workflow.requests[attempt.request]
    if attempt.member.references.isEmpty, let bound = bound[attempt.request] {
      return bound.operation.path
    }
    return try bindings().bound(request, readFile: { _ in [] }).operation.path
  }

  private mutating func fail(
    _ attempt: Attempt,
    _ error: GraphError,
    _ classification: Classification,
    code: Int?,
    atLeast serverDelay: Duration?
  ) {
    let index = attempt.request
    let request = workflow.requests[index]
    if request.method == .delete && requests[index].hasUnansweredAttempt
      && classification.reason == .notFound
    {
      // The attempt that was never answered did it.
      note(attempt, .succeeded, code: code)
      requests[index].hasTakenEffect = true
      end(index, Ending(status: .succeeded), code: code, at: attempt.end)
      return
    }
    if code == nil { requests[index].hasUnansweredAttempt = true }
    let failure = mask.masked(Failure(error, classification))
    let isSafe = classification.provesNothingHappened || !request.isUnsafeWrite
    requests[index].lastFailure = failure
    note(attempt, isSafe ? .failed : .inDoubt, code: code, failure)
    guard isSafe else {
      end(index, Ending(status: .inDoubt, failure: failure), code: code, at: attempt.end)
      return
    }
    if let delay = delay(index, failure, atLeast: serverDelay, at: attempt.end) {
      postpone(index, until: attempt.end + delay)
    } else {
      end(
        index,
        Ending(status: .failed, failure: failure, resolvedPath: try? resolvedPath(attempt)),
        code: code,
        at: attempt.end
      )
    }
  }

  private mutating func postpone(_ index: Int, until wakeUp: Duration) {
    requests[index].phase = .delayed(until: wakeUp)
    delayed.insert(index)
  }

  /// How long to wait before a request is sent again; `nil` if it is not.
  private mutating func delay(
    _ index: Int,
    _ failure: Failure,
    atLeast serverDelay: Duration?,
    at now: Duration
  ) -> Duration? {
    guard let policy = workflow.requests[index].retry, policy.covers(failure) else { return nil }
    let delay = policy.delay(
      after: requests[index].attempts,
      atLeast: serverDelay,
      using: &generator
    )
    let elapsed = now + delay - (requests[index].firstAttempt ?? now)
    guard elapsed <= policy.maxElapsed else { return nil }
    // Waiting for a throttle to lift does not use up attempts.
    if failure.reason == .throttled { requests[index].countedAttempts -= 1 }
    guard requests[index].countedAttempts < policy.maxAttempts else { return nil }
    return delay
  }

  private mutating func note(
    _ attempt: Attempt,
    _ outcome: AttemptOutcome,
    code: Int?,
    _ failure: Failure? = nil
  ) {
    events.append(
      .attemptEnded(
        AttemptEnd(
          attempt: AttemptID(
            request: attempt.request,
            number: requests[attempt.request].attempts
          ),
          call: attempt.call.number,
          startedAt: wallClock(at: attempt.call.startedAt),
          durationMilliseconds: (attempt.end - attempt.call.startedAt).milliseconds,
          outcome: outcome,
          code: code,
          failure: failure
        )
      )
    )
  }

  private func callEnd(_ call: CallUnderWay, _ result: CallResult, at now: Duration) -> CallEnd {
    var end = CallEnd(
      number: call.number,
      durationMilliseconds: (now - call.startedAt).milliseconds,
      httpStatus: nil,
      bytesSent: 0,
      bytesReceived: 0,
      usage: nil,
      failure: nil
    )
    switch result {
    case .failed(let failure): end.failure = failure.message
    case .answered(let answer, let facts):
      end.httpStatus = facts.status
      end.bytesSent = facts.bytesSent
      end.bytesReceived = facts.bytesReceived
      let usage = result.usage
      end.usage = usage.isEmpty ? nil : usage.json
      switch answer {
      case .items: break
      case .refused(let error, _): end.failure = error.message
      case .unreadable(_, let problem): end.failure = problem
      }
    }
    return end
  }
}

extension RetryPolicy {
  /// Whether a failure is one of those that are worth another attempt.
  fileprivate func covers(_ failure: Failure) -> Bool {
    on.contains { condition in
      switch condition {
      case .category(let category): category == failure.category
      case .reason(let reason): reason == failure.reason
      case .code(let code, let subcode):
        code == failure.error.code && (subcode == nil || subcode == failure.error.subcode)
      }
    }
  }
}
