import GraphAPI

/// Bisects calls that fail as a whole: their operations are sent again in smaller calls.
extension RunState {
  /// Isolates the operations to be sent again of a call that failed as a whole.
  ///
  /// Reads and writes are in separate chunks. A write is included only if its own `retry` allows
  /// another attempt. An operation that follows another one still waits for it.
  mutating func isolate(_ members: [PackedBatch.Member], _ collapse: FailedBatches.Collapse) {
    let retried = members.map(\.request).filter { instance in
      guard case .delayed = instances[instance].phase else { return false }
      return packer.isFree(instance)
    }
    for isWrite in [false, true] {
      let together = retried.filter { request(of: $0).isWrite == isWrite }
      guard !together.isEmpty else { continue }
      let isCounted = isWrite || collapse == .broken
      var notBefore = Duration.zero
      var attemptsLeft = Int.max
      for instance in together {
        guard case .delayed(let until) = instances[instance].phase else { continue }
        notBefore = max(notBefore, until)
        let left = request(of: instance).retry?.attemptsLeft(after: instances[instance].attempts)
        attemptsLeft = min(attemptsLeft, left ?? 1)
        instances[instance].phase = .isolated
      }
      let width = FailedBatches.width(
        after: together.count, attemptsLeft: isCounted ? max(attemptsLeft, 1) : nil)
      failedBatches.add(
        FailedBatches.Chunk(
          members: together.sorted(), width: width, collapse: isWrite ? .broken : collapse,
          notBefore: notBefore))
    }
  }

  /// Makes the next probes ready to be packed.
  mutating func chooseProbes(at now: Duration) {
    var isolated: Set<Int> =
      failedBatches.isEmpty ? [] : delayed.filter { instances[$0].phase == .isolated }
    if !tally.allowsRetry {
      giveUpIsolated(isolated, at: now)
      isolated = []
    }
    for instance in failedBatches.chooseProbes(at: now, among: isolated) {
      let policy = request(of: instance).retry
      if policy?.allowsAttempt(after: instances[instance].attempts, at: now) == true {
        instances[instance].phase = .delayed(until: now)
      } else {
        giveUpIsolated([instance], at: now)
      }
    }
  }

  /// Completes isolated instances as failed, because the time or the retry budget is used up.
  private mutating func giveUpIsolated(_ isolated: Set<Int>, at now: Duration) {
    for instance in isolated.sorted() {
      delayed.remove(instance)
      let failure = instances[instance].lastFailure
      completeInstance(instance, Ending(status: .failed, failure: failure), at: now)
    }
  }

  /// Records the result of a call for the bisection.
  ///
  /// A probe that is answered was useful, so it does not count as a retry.
  ///
  /// - Returns: How the call failed as a whole; nil if it did not, or had one operation.
  mutating func recordCollapse(
    of call: CallUnderWay, _ answered: AnsweredCall
  ) -> FailedBatches.Collapse? {
    guard case .operations(let members) = call.purpose else { return nil }
    let collapse = answered.collapse(ofCallWith: members.count)
    if collapse == nil, case .failed = answered.result {
      // The call was not sent, which means nothing for its operations.
      failedBatches.recordUnsentCall()
      return nil
    }
    failedBatches.recordCall(collapse, ofCallWith: members.count, isProbe: call.isProbe)
    if call.isProbe, collapse == nil {
      tally.retryCalls -= 1
      tally.firstCalls += 1
    }
    return members.count > 1 ? collapse : nil
  }

  /// The time to wake up for retries that are ready at a given time, or within 250 ms after it.
  ///
  /// They share a call, which is worth more than the short delay.
  func wakeUpTogether(for wakeUp: Duration) -> Duration {
    let limit = wakeUp + .milliseconds(250)
    return delayed.reduce(wakeUp) { latest, instance in
      guard case .delayed(let until) = instances[instance].phase, until <= limit,
        instances[instance].lastFailure != nil
      else { return latest }
      return max(latest, until)
    }
  }

  /// Whether all operations of a call belong to one probe.
  func isProbe(_ members: [PackedBatch.Member]) -> Bool {
    guard let first = members.first?.request,
      let probe = failedBatches.probes.first(where: { $0.contains(first) })
    else { return false }
    return members.allSatisfy { probe.contains($0.request) }
  }
}
