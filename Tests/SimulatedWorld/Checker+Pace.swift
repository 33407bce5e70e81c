import GraphFlow

/// I7: the pace of a process, and the end of a run that reached a limit.
extension Checker {
  /// Checks the pace of one process.
  ///
  /// - Parameters:
  ///   - server: the model of Graph.
  ///   - budget: the share of the limits that the process may use.
  ///   - first: the first row of this process.
  ///   - rows: the journal after the process.
  ///   - journal: the same rows, parsed.
  mutating func check(
    _ server: ModelServer, _ budget: RunBudget, from first: Int, _ rows: [Store.Row],
    _ journal: [JournalRow]
  ) {
    for text in server.violations { addViolation("I7: \(text)") }
    let sent = server.sentOperations
    let outsideBudget = cleanUpOperations(journal, from: first)
    if let calls = budget.calls, sent - outsideBudget > calls {
      addViolation("I7: \(sent) operations were sent, and the budget is \(calls)")
    }
    // Graph may have counted calls without an answer, and no process knows the count.
    let hasNoFaults = world.operationTrouble == 0 && world.callTrouble == 0 && world.outage == nil
    let isKnown =
      hasNoFaults && world.knowsApp && world.exchangeTrouble == 0 && server.lostAnswers == 0
      && world.clockSkew.magnitude < 1000 && world.clockSteps.allSatisfy { $0 == 0 }
    if let usage = budget.usage, isKnown, outsideBudget == 0, let quota = world.quota,
      quota.reportsUsage,
      quota.isOfGraph, server.peak.rounded(.down) > Double(usage)
    {
      addViolation("I7: \(server.peak) % of a limit were used, and the budget is \(usage) %")
    }
    var underWay: [Int: Int] = [:]
    for entry in journal.dropFirst(first) {
      switch entry {
      case .call(let number, _, _, let round, _):
        if underWay.values.contains(where: { $0 < round }) { reach(.sentBesideEarlierRound) }
        if underWay.count > 6 { reach(.manyCalls) }
        underWay[number] = round
      case .callEnded(let number): underWay[number] = nil
      case .concurrencyChanged("growth"): reach(.concurrencyGrown)
      case .concurrencyChanged("throttled"), .concurrencyChanged("timeout"):
        reach(.concurrencyHalved)
      case .paused("throttled"): reach(.pausedByThrottle)
      case .paused("usage"): reach(.pausedByUsage)
      case .paused("outage"): reach(.pausedByOutage)
      default: break
      }
    }
    checkSaved(journal, from: first) {
      // Confirmation checks and permission look-ups are throttled, too, which fails their requests.
      rows.dropFirst(first).contains { row in
        Self.isKeptBack(row)
          || String(decoding: row.json, as: UTF8.self).contains(#""reason":"throttled""#)
      }
    }
    if budget.calls == sent { reach(.budgetUsedUp) }
  }

  /// I7: no more writes are begun than the run may send, and none is kept back while there is room.
  ///
  /// - Parameters:
  ///   - most: how many the run may send; nil for any number.
  ///   - rows: what the process has added to the journal.
  mutating func checkWrites(_ most: Int?, _ rows: ArraySlice<Store.Row>) {
    guard let most, !hasForgotten else { return }
    let cleanUps = world.sketch.requests.count {
      $0.isWrite && $0.isCleanUp && request($0.name) != nil
    }
    let room = max(0, most - cleanUps)
    let begun = intents.keys.count { mark in
      request(mark).map { $0.request.isWrite && !$0.request.isCleanUp } ?? false
    }
    if begun > room { addViolation("I7: \(begun) writes were begun, and the limit is \(most)") }
    if rows.contains(where: Self.isKeptBack) {
      reach(.writeLimit)
      if begun < room { addViolation("I7: a write was kept back after \(begun) of \(most)") }
    }
  }

  private static func isKeptBack(_ row: Store.Row) -> Bool {
    String(decoding: row.json, as: UTF8.self).contains(#""reason":"write_limit""#)
  }

  /// Whether the deadline kept something from being sent: a wait beyond it, or, without an outcome, a
  /// group that was not opened.
  private func hasPassedDeadline(at end: Int, isCancelled: Bool) -> Bool {
    deadline.map { isCancelled || .milliseconds(end - World.epoch) >= $0 } ?? false
  }

  /// A run that a limit stopped reports this, and the time when it can continue.
  private mutating func checkSaved(
    _ journal: [JournalRow], from first: Int, isThrottled: () -> Bool
  ) {
    var isCancelled = false
    for entry in journal.dropFirst(first) {
      switch entry {
      case .request(_, "cancelled", _): isCancelled = true
      case .ended(let status, let code, let end, let resumeAfter):
        if let resumeAfter {
          reach(.resumeAfter)
          if resumeAfter < end { addViolation("I7: the run may continue before its own end") }
          let isRight =
            switch status {
            case "unfinished": [75, 69].contains(code)
            case "in_doubt": code == 3
            case "failed": code == 77
            default: false
            }
          if !isRight {
            addViolation("I7: the run may continue later, but is \(status) with \(code)")
          }
        } else if code == 75 && hasPassedDeadline(at: end, isCancelled: isCancelled) {
          reach(.deadlinePassed)
        } else if code == 75 && !isThrottled() {
          addViolation("I7: the run is to be retried later without a reason")
        }
        if isCancelled && [0, 1].contains(code) {
          addViolation("I6: something was not sent, but the exit code is \(code)")
        }
      default: break
      }
    }
  }
}
