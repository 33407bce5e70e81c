import GraphAPI
import JSONPath

/// Finishes a run.
extension RunState {
  /// Finishes a run that a signal has stopped, once no call is under way.
  ///
  /// Instances that need no further call are completed as they would be without the signal.
  mutating func finishCancelled(at now: Duration) -> Action {
    if nextBatch(at: now) == nil { prepareRound(at: now) }
    return finishRun(at: now)
  }

  /// Whether the signal kept a call from being sent or awaited; otherwise it has no effect.
  private var isCutShort: Bool {
    guard isCancelled else { return false }
    return hasGivenUpCalls || groups.contains { !$0.isFinished }
      || workflow.requests.indices.contains {
        workflow.requests[$0].group == nil && !instances[$0].isFinished
      }
  }

  /// Completes the instances that did not finish, and computes the result of the run.
  mutating func finishRun(at now: Duration) -> Action {
    let isCutShort = isCutShort
    let unsent = Failure.unsent(cause: pace.outOfQuota?.cause, isStopped: isCancelled)
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      if !instances[request].isFinished { cancelInstance(request, as: unsent, at: now) }
    }
    for (index, group) in workflow.groups.enumerated() {
      for position in groups[index].open.keys.sorted() {
        for member in group.members {
          let instance = graph.instance(of: member, item: position)
          guard isOpen(instance), !instances[instance].isFinished else { continue }
          cancelInstance(instance, as: unsent, at: now)
        }
      }
      if !groups[index].isFinished { completeUnopenedItems(of: index, because: unsent) }
    }
    if recorded.hasDoubtLeft { tally.verdict.recordDoubt() }
    let (status, exitCode) = tally.verdict.ending(
      cancellation: isCutShort ? cancellation : nil,
      wasReached: tally.calls == 0 || tally.wasReached, outOfQuota: pace.outOfQuota)
    // Even if a person has to act first: before this time a resumed run would be refused.
    let isSaved = status != .cancelled && (pace.outOfQuota != nil || tally.verdict.isThrottled)
    let end = RunEnd(
      finishedAt: wallClock(at: now), status: status, exitCode: exitCode, outputs: outputs(),
      callsLowerBound: LowerBound(for: graph.requests, limits: options.limits) {
        tally.sentInstances[$0]
      }.calls, waitedMilliseconds: tally.waited.milliseconds,
      resumeAfter: isSaved
        ? pace.outOfQuota?.until ?? pace.pacer.silentUntil(at: wallClock(at: now)) : nil)
    events.append(.runEnded(end))
    return .finish(end)
  }

  /// Completes an instance that did not finish; one that was attempted keeps its last error.
  private mutating func cancelInstance(_ instance: Int, as unsent: Failure, at now: Duration) {
    if let doubt = instances[instance].doubt {
      completeInstance(
        instance, Ending(status: .inDoubt, failure: doubt.failure), code: doubt.code, at: now)
      return
    }
    let failure = instances[instance].lastFailure ?? unsent
    completeInstance(instance, Ending(status: .cancelled, failure: failure), at: now)
  }

  /// The outputs' values without secrets; `null` for an output without a value.
  private func outputs() -> JSON.Object {
    var bindings = bindings(for: nil)
    bindings.masksSecrets = true
    return JSON.Object(
      workflow.outputs.map { output in
        let value = (try? bindings.json(of: output.value)) ?? .null
        return (output.name, value)
      })
  }
}

extension Failure {
  /// Why a request without a problem of its own was never sent.
  ///
  /// - Parameters:
  ///   - cause: The limit that ended the run, if one did.
  ///   - isStopped: Whether a signal ended it.
  /// - Returns: The failure.
  fileprivate static func unsent(cause: QuotaPause.Cause?, isStopped: Bool) -> Failure {
    let message =
      switch cause {
      case _ where isStopped: "the run was stopped"
      case .budget: "the budget is used up"
      case .throttled: "Graph has refused more calls"
      case .usage: "most of one of Graph's limits is used up"
      case .outage: "Graph does not answer"
      case nil: "the run has ended"
      }
    return Failure(
      error: GraphError(message: message), category: .other, reason: .cancelled,
      hint: "it was not sent; graphflow resume RUN sends it")
  }
}

/// Evaluates `expect` and `until` on an answer.
extension RunState {
  /// The verdicts on an instance's expectations, in order.
  ///
  /// A write that a confirmation check has found has a body but no answer: `status()` and
  /// `header()` are then nothing.
  ///
  /// - Throws: A failure if an expression takes too many steps.
  func verdicts(
    _ instance: Int, _ response: OperationResponse?, root: JSON?
  ) throws(BindingFailure) -> [ExpectationResult] {
    let expectations = request(of: instance).expect
    guard !expectations.isEmpty else { return [] }
    // The shown value is selected in a masked body: the value alone does not show its name.
    let shownRoot = root.map { mask.masked($0) }
    var verdicts: [ExpectationResult] = []
    for expectation in expectations {
      let expression = expectation.expression
      let holds = try evaluate(expression, instance, response, root: root).holds
      let shown = try evaluate(expression, instance, response, root: shownRoot, masksSecrets: true)
      verdicts.append(
        ExpectationResult(
          check: expression.text, passed: holds, message: expectation.message, actual: shown.actual)
      )
    }
    return verdicts
  }

  /// Evaluates an expression on an answer; also the value of a comparison's left side.
  func evaluate(
    _ expression: Expression, _ instance: Int, _ response: OperationResponse?, root: JSON?,
    masksSecrets: Bool = false
  ) throws(BindingFailure) -> (holds: Bool, actual: JSON?) {
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

extension Failure {
  /// The failure of a request with an expectation that does not hold.
  init(brokenExpectation verdict: ExpectationResult) {
    let actual = verdict.actual.map { ", actual value: \($0)" } ?? ""
    self.init(
      error: GraphError(
        message: verdict.message ?? "the expectation `\(verdict.check)` does not hold\(actual)"),
      category: .other, reason: .expectation,
      hint: "compare the actual value with the expected one in the report")
  }
}
