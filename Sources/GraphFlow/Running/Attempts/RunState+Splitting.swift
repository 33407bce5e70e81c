import GraphAPI

/// Calls that fail as a whole: what was in them is sent again in smaller ones.
extension RunState {
  /// Puts what shared a call that failed as a whole, and is to be sent again, aside.
  ///
  /// Reads and writes apart. A write is there only because its own `retry` has it sent again; what
  /// follows another member waits for that one as ever.
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
        after: together.count,
        attemptsLeft: isCounted ? max(attemptsLeft, 1) : nil
      )
      failedBatches.add(
        FailedBatches.Chunk(
          members: together.sorted(),
          width: width,
          collapse: isWrite ? .broken : collapse,
          notBefore: notBefore
        )
      )
    }
  }

  /// Makes the probes that are due now ready to be packed.
  mutating func chooseProbes(at now: Duration) {
    var aside: Set<Int> =
      failedBatches.isEmpty ? [] : delayed.filter { instances[$0].phase == .isolated }
    if !tally.allowsRetry {
      giveUpIsolated(aside, at: now)
      aside = []
    }
    let due = failedBatches.choose(at: now, among: aside)
    for instance in due {
      let policy = request(of: instance).retry
      if policy?.allowsAttempt(after: instances[instance].attempts, at: now) == true {
        instances[instance].phase = .delayed(until: now)
      } else {
        giveUpIsolated([instance], at: now)
      }
    }
  }

  /// Too late, or the retry budget is used up: what failed stays failed.
  private mutating func giveUpIsolated(_ aside: Set<Int>, at now: Duration) {
    for instance in aside.sorted() {
      delayed.remove(instance)
      let failure = instances[instance].lastFailure
      completeInstance(instance, Ending(status: .failed, failure: failure), at: now)
    }
  }

  /// Notes how a call came back; whether it failed as a whole, and how.
  ///
  /// A probe that is answered was no vain repetition: it counts among the other calls.
  mutating func recordCollapse(
    of call: CallUnderWay,
    _ answered: AnsweredCall
  ) -> FailedBatches.Collapse? {
    guard case .operations(let members) = call.purpose else { return nil }
    let collapse = answered.collapse(ofCallWith: members.count)
    if collapse == nil, case .failed = answered.result {
      // Nothing was sent: that says nothing of what was in it, and nobody has answered.
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

  /// When to wake up for what is due at a time: soon enough for that, and late enough for other
  /// retries that are due a moment later, because a call costs more than the moment.
  func wakeUpTogether(for wakeUp: Duration) -> Duration {
    let moment = wakeUp + .milliseconds(250)
    return delayed.reduce(wakeUp) { latest, instance in
      guard case .delayed(let until) = instances[instance].phase, until <= moment,
        instances[instance].lastFailure != nil
      else { return latest }
      return max(latest, until)
    }
  }

  /// Whether a call carries a probe and nothing else.
  func isProbe(_ members: [PackedBatch.Member]) -> Bool {
    guard let first = members.first?.request,
      let probe = failedBatches.probes.first(where: { $0.contains(first) })
    else { return false }
    return members.allSatisfy { probe.contains($0.request) }
  }
}
