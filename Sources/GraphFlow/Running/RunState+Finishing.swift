import GraphAPI
import JSONPath

/// What a run came to.
extension RunState {
  /// Ends a run that a signal has stopped, as soon as nothing is under way.
  ///
  /// What ends without another call ends as it would have without the signal.
  mutating func finishCancelled(at now: Duration) -> Action {
    if nextBatch(at: now) == nil { prepareRound(at: now) }
    return finish(at: now)
  }

  /// Whether the signal kept something from being sent or awaited: without that it does not count.
  private var isCutShort: Bool {
    guard isCancelled else { return false }
    return hasGivenUpCalls || groups.contains { !$0.isFinished }
      || workflow.requests.indices.contains {
        workflow.requests[$0].group == nil && !instances[$0].isFinished
      }
  }

  /// Ends what never started, and sums up.
  mutating func finish(at now: Duration) -> Action {
    let isCutShort = isCutShort
    let unsent = Failure.unsent(cause: pace.outOfQuota?.cause, isStopped: isCancelled)
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      if !instances[request].isFinished { cancel(request, as: unsent, at: now) }
    }
    for (index, group) in workflow.groups.enumerated() {
      for position in groups[index].open.keys.sorted() {
        for member in group.members {
          let instance = graph.instance(of: member, item: position)
          guard isOpen(instance), !instances[instance].isFinished else { continue }
          cancel(instance, as: unsent, at: now)
        }
      }
      if !groups[index].isFinished { endUnopenedItems(of: index, because: unsent) }
    }
    if recorded.hasDoubtLeft { tally.verdict.noteDoubt() }
    let (status, exitCode) = tally.verdict.ending(
      cancellation: isCutShort ? cancellation : nil,
      wasReached: tally.calls == 0 || tally.wasReached,
      outOfQuota: pace.outOfQuota
    )
    // Also if a person has to do something first: before that moment it would be in vain.
    let isSaved = status != .cancelled && (pace.outOfQuota != nil || tally.verdict.isThrottled)
    let end = RunEnd(
      finishedAt: wallClock(at: now),
      status: status,
      exitCode: exitCode,
      outputs: outputs(),
      callsLowerBound: LowerBound(for: graph.requests, limits: options.limits) {
        tally.sentInstances[$0]
      }.calls,
      waitedMilliseconds: tally.waited.milliseconds,
      resumeAfter: isSaved
        ? pace.outOfQuota?.until ?? pace.pacer.silentUntil(at: wallClock(at: now)) : nil
    )
    events.append(.runEnded(end))
    return .finish(end)
  }

  /// Ends what the run did not come to; what it had tried keeps its last error.
  private mutating func cancel(_ instance: Int, as unsent: Failure, at now: Duration) {
    if let doubt = instances[instance].doubt {
      end(instance, Ending(status: .inDoubt, failure: doubt.failure), code: doubt.code, at: now)
      return
    }
    let failure = instances[instance].lastFailure ?? unsent
    end(instance, Ending(status: .cancelled, failure: failure), at: now)
  }

  /// The outputs' values without secrets; `null` where something referred to has no such value.
  private func outputs() -> JSON.Object {
    var bindings = bindings(for: nil)
    bindings.masksSecrets = true
    return JSON.Object(
      workflow.outputs.map { output in
        let value = (try? bindings.json(of: output.value)) ?? .null
        return (output.name, value)
      }
    )
  }
}

extension Failure {
  /// Why a request was never sent, although nothing is wrong with it.
  ///
  /// - Parameters:
  ///   - cause: what Graph or the person who started the run allows no more of, if that ended it.
  ///   - isStopped: whether a signal ended it.
  /// - Returns: the failure, of which a person reads the message.
  fileprivate static func unsent(cause: QuotaPause.Cause?, isStopped: Bool) -> Failure {
    let message =
      switch cause {
      case _ where isStopped: "the run was stopped"
      case .budget: "the budget is used up"
      case .throttled: "Graph has refused more calls"
      case .usage: "most of one of Graph's limits is used up"
      case .outage: "Graph does not answer"
      case nil: "the run came to its end"
      }
    return Failure(
      error: GraphError(message: message),
      category: .other,
      reason: .cancelled,
      hint: "it was not sent; graphflow resume RUN sends it"
    )
  }
}
