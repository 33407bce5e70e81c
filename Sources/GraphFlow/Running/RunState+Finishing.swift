import GraphAPI
import JSONPath

/// What a run came to.
extension RunState {
  /// Ends what never started, and sums up.
  mutating func finish(at now: Duration) -> Action {
    for index in requests.indices where !requests[index].isOver {
      end(index, Ending(status: .cancelled), at: now)
    }
    let verdict = verdict()
    let end = RunEnd(
      finishedAt: wallClock(at: now),
      status: verdict.status,
      exitCode: verdict.exitCode,
      outputs: outputs(),
      callsLowerBound: lowerBound(),
      waitedMilliseconds: tally.waited.milliseconds
    )
    events.append(.runEnded(end))
    return .finish(end)
  }

  /// The status and the exit code; when several apply: stopped by a signal, doubt, permission or
  /// token, throttled, never reached, failed.
  private func verdict() -> (status: RunStatus, exitCode: Int) {
    if let cancellation { return (.cancelled, cancellation) }
    let unexcused = requests.compactMap(\.outcome).filter { !$0.isExcused }
    if unexcused.contains(where: { $0.status == .inDoubt }) { return (.inDoubt, 3) }
    let failed = unexcused.filter { $0.status == .failed || $0.status == .skipped }
    guard !failed.isEmpty else { return (.succeeded, 0) }
    let reasons = Set(failed.compactMap(\.reason))
    if failed.contains(where: { $0.skipReason == .permission })
      || !reasons.isDisjoint(with: [.token, .permission])
    {
      return (.failed, 77)
    }
    if reasons.contains(.throttled) { return (.unfinished, 75) }
    return (.failed, tally.calls > 0 && !tally.wasReached ? 69 : 1)
  }

  /// The outputs' values without secrets; `null` where something referred to has no such value.
  private func outputs() -> JSON.Object {
    let bindings = bindings()
    return JSON.Object(
      workflow.outputs.map { output in
        let value = (try? bindings.json(of: output.value)) ?? .null
        return (output.name, mask.masked(value))
      }
    )
  }

  private func lowerBound() -> Int {
    LowerBound(for: graph, width: options.limits.width) { requests[$0].attempts > 0 }.calls
  }
}
