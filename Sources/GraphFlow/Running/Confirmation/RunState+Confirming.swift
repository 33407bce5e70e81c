import GraphAPI
import JSONPath

/// Writes that may have happened: from the doubt to its end.
extension RunState {
  /// Deals with a write of whose last attempt nobody knows whether it took effect.
  ///
  /// It is looked for, if its author has said how; else it is over, and a person has to look.
  ///
  /// - Parameters:
  ///   - instance: the write.
  ///   - failure: what came back.
  ///   - code: the HTTP status that came back, if one did.
  ///   - delay: how long the server wants to be left alone.
  ///   - now: the time since the run's start.
  mutating func doubt(
    _ instance: Int,
    _ failure: Failure,
    code: Int?,
    atLeast delay: Duration?,
    at now: Duration
  ) {
    guard request(of: instance).confirmation != nil else {
      end(instance, Ending(status: .inDoubt, failure: failure), code: code, at: now)
      return
    }
    let doubt = Doubt(
      failure: failure,
      code: code,
      since: now,
      resendNotBefore: now + (delay ?? .zero),
      step: .due(at: now)
    )
    instances[instance].phase = .doubtful(doubt)
    confirmations.look(for: instance)
  }

  /// Who an instance is in journal and report, however its items are numbered.
  func owner(of instance: Int) -> ClaimedNodes.Owner {
    ClaimedNodes.Owner(
      request: graph.request(of: instance),
      key: item(of: instance)?.key ?? ""
    )
  }

  /// The ids of what a write has made, if looks of this workflow have to know them.
  func madeIDs(by request: Workflow.Request, _ response: OperationResponse) -> [String] {
    guard confirmations.isUsed, request.isWrite, let body = try? response.body.json() else {
      return []
    }
    return body.madeIDs
  }

  /// Hands in the answer to looks.
  mutating func handleCheckResults(
    for instances: [Int],
    _ call: CallUnderWay,
    _ answered: AnsweredCall,
    at now: Duration
  ) {
    for (index, instance) in instances.enumerated() {
      guard var doubt = self.instances[instance].doubt,
        let confirmation = request(of: instance).confirmation
      else { continue }
      let timing = Doubt.Timing(
        startedAt: call.startedAt,
        endedAt: now,
        delay: answered.serverDelay(forOperation: index),
        within: confirmation.within
      )
      let conclusion: Doubt.Conclusion
      do throws(AnsweredCall.Rejection) {
        let response = try answered.response(ofOperation: index)
        conclusion = self.conclusion(for: instance, from: response, &doubt, timing)
      } catch {
        if checksAgain(instance, after: error.failure, answered, (index, call), at: now) {
          continue
        }
        conclusion = doubt.receive(error.failure, timing)
      }
      act(on: conclusion, instance, doubt, at: now)
    }
  }

  private mutating func conclusion(
    for instance: Int,
    from response: OperationResponse,
    _ doubt: inout Doubt,
    _ timing: Doubt.Timing
  ) -> Doubt.Conclusion {
    guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
      return doubt.receive(.unreadableCheck, timing)
    }
    if Redaction.mayContainSecret(response.body.text) { mask.record(from: body) }
    guard let confirmation = request(of: instance).confirmation else { return .open }
    do throws(BindingFailure) {
      let reading = try reading(of: confirmation, for: instance, at: doubt.lookedAt(timing))
      return doubt.receive(body, read: reading, timing)
    } catch {
      return .undecided(.checkFailed(error.failure))
    }
  }

  private mutating func act(
    on conclusion: Doubt.Conclusion,
    _ instance: Int,
    _ doubt: Doubt,
    at now: Duration
  ) {
    switch conclusion {
    case .open: instances[instance].phase = .doubtful(doubt)
    case .happened(let node): succeed(instance, by: node, at: now)
    case .didNotHappen: sendAgainOrFail(instance, doubt, at: now)
    case .undecided(let reason): stayInDoubt(instance, because: reason, at: now)
    }
  }

  /// How the answer to a look is read that was made at a time.
  ///
  /// - Throws: if something that it is compared with is not there.
  func reading(
    of confirmation: Workflow.Confirmation,
    for instance: Int,
    at time: Duration
  ) throws(BindingFailure) -> CheckReading {
    let bindings = bindings(for: instance)
    let match = try bindings.selection(confirmation.match)
    var result: CheckReading.Selection?
    if let written = confirmation.result { result = try bindings.selection(written) }
    let evidence = instances[instance].evidence ?? WriteEvidence()
    return CheckReading(
      match: match,
      result: result,
      evidence: evidence.counting(by: confirmations.clock, at: time),
      claimed: confirmations.claims
    )
  }

  /// Sends a write again that did not happen, if that is still allowed; else it has failed.
  private mutating func sendAgainOrFail(_ instance: Int, _ doubt: Doubt, at now: Duration) {
    var failure = doubt.failure
    failure.hint = Failure.notFoundHint
    instances[instance].lastFailure = failure
    confirmations.stopChecking(for: instance)
    if let time = resendTime(of: instance, doubt, at: now) {
      postpone(instance, until: time)
    } else {
      end(
        instance,
        Ending(status: .failed, failure: failure, resolvedPath: sentPath(of: instance)),
        code: doubt.code,
        at: now
      )
    }
  }

  /// When a write that did not happen is sent again; nil if it is not.
  private func resendTime(of instance: Int, _ doubt: Doubt, at now: Duration) -> Duration? {
    guard !isHeldBack(instance) else { return nil }
    let time = max(now, doubt.resendNotBefore)
    // A resumed run may make attempts of its own.
    let attempts = instances[instance].attempts
    guard attempts.first != nil else { return time }
    return request(of: instance).retry?.allowsAttempt(after: attempts, at: time) == true
      ? time : nil
  }

  /// Ends a write that a look has found.
  private mutating func succeed(_ instance: Int, by node: FoundNode, at now: Duration) {
    instances[instance].hasTakenEffect = true
    let body = ResponseBody(Array(node.body.serialized().utf8))
    bodies.keep(body, of: instance)
    var ending = Ending(
      .succeeded,
      found: body,
      madeIDs: node.ids,
      resolvedPath: sentPath(of: instance)
    )
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
    end(instance, ending, at: now)
  }

  /// Ends the looking without an answer: a person has to look.
  mutating func stayInDoubt(
    _ instance: Int,
    because reason: RemainingDoubt,
    at now: Duration
  ) {
    guard let doubt = instances[instance].doubt else { return }
    var failure = doubt.failure
    failure.hint = "\(reason.sentence); \(Failure.doubtHint)"
    end(
      instance,
      Ending(status: .inDoubt, failure: failure, resolvedPath: sentPath(of: instance)),
      code: doubt.code,
      at: now
    )
  }

  /// The path that a write was sent to, if its placeholders can still be filled.
  private func sentPath(of instance: Int) -> String? {
    try? bindings(for: instance).boundPath(request(of: instance).path).text
  }
}

extension Bindings {
  /// A selection with the values of its operands.
  ///
  /// - Throws: if one of them has none: nothing is equal to nothing, so it would match anything.
  fileprivate func selection(
    _ selection: NodeSelection
  ) throws(BindingFailure) -> CheckReading.Selection {
    let operands = try operands(of: selection.expression)
    for (placeholder, values) in zip(selection.expression.placeholders, operands)
    where values.isEmpty {
      throw .unresolved(placeholder)
    }
    return CheckReading.Selection(query: selection.query, operands: operands)
  }
}
