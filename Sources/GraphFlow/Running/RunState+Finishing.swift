import GraphAPI
import JSONPath

/// What a run came to.
extension RunState {
  /// Ends what never started, and sums up.
  mutating func finish(at now: Duration) -> Action {
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      if !instances[request].isOver { cancel(request, at: now) }
    }
    for (index, group) in workflow.groups.enumerated() {
      for position in groups[index].open.keys.sorted() {
        for member in group.members {
          let instance = graph.instance(of: member, item: position)
          guard isOpen(instance), !instances[instance].isOver else { continue }
          cancel(instance, at: now)
        }
      }
    }
    if recorded.hasDoubtLeft { tally.verdict.noteDoubt() }
    let (status, exitCode) = tally.verdict.ending(
      cancellation: cancellation,
      wasReached: tally.calls == 0 || tally.wasReached,
      outOfQuota: outOfQuota
    )
    let end = RunEnd(
      finishedAt: wallClock(at: now),
      status: status,
      exitCode: exitCode,
      outputs: outputs(),
      callsLowerBound: LowerBound(for: graph.requests, limits: options.limits) {
        sentInstances[$0]
      }.calls,
      waitedMilliseconds: tally.waited.milliseconds,
      resumeAfter: status == .unfinished
        ? outOfQuota?.until ?? pacer.silence(at: wallClock(at: now)) : nil
    )
    events.append(.runEnded(end))
    return .finish(end)
  }

  /// Ends what the run did not come to; what it had tried keeps its last error.
  private mutating func cancel(_ instance: Int, at now: Duration) {
    if let doubt = instances[instance].doubt {
      end(instance, Ending(status: .inDoubt, failure: doubt.failure), code: doubt.code, at: now)
      return
    }
    end(
      instance,
      Ending(status: .cancelled, failure: instances[instance].lastFailure),
      at: now
    )
  }

  /// The outputs' values without secrets; `null` where something referred to has no such value.
  private func outputs() -> JSON.Object {
    var bindings = bindings(for: nil)
    bindings.masksSecrets = true
    return JSON.Object(
      workflow.outputs.map { output in
        let value = (try? bindings.json(of: output.value)) ?? .null
        return (output.name, mask.masked(value))
      }
    )
  }
}
