import GraphFlow

/// I7: what a process may ask of Graph, and how it says that it may ask no more.
extension Checker {
  /// Checks the pace of one process.
  ///
  /// - Parameters:
  ///   - site: where Graph stands.
  ///   - budget: how much of the limits it may use.
  ///   - first: the first row of this process.
  ///   - rows: the journal as the process has left it.
  ///   - journal: the same, read.
  mutating func check(
    _ site: Site,
    _ budget: RunBudget,
    from first: Int,
    _ rows: [Store.Row],
    _ journal: [JournalRow]
  ) {
    for text in site.blames { blame("I7: \(text)") }
    let sent = site.sentOperations
    if let calls = budget.calls, sent > calls {
      blame("I7: \(sent) operations were sent, and the budget is \(calls)")
    }
    // What never came back may have been counted, and other processes do not know of it.
    let isCalm = world.operationTrouble == 0 && world.callTrouble == 0 && world.outage == nil
    let isKnown =
      isCalm && world.knowsApp && world.exchangeTrouble == 0 && site.lostAnswers == 0
      && world.clockSkew.magnitude < 1000 && world.clockSteps.allSatisfy { $0 == 0 }
    if let usage = budget.usage, isKnown, let quota = world.quota, quota.tellsUsage,
      quota.isOfGraph, site.peak.rounded(.down) > Double(usage)
    {
      blame("I7: \(site.peak) % of a limit were used, and the budget is \(usage) %")
    }
    for entry in journal.dropFirst(first) {
      switch entry {
      case .paused("throttled"): reach(.pausedByThrottle)
      case .paused("usage"): reach(.pausedByUsage)
      case .paused("outage"): reach(.pausedByOutage)
      default: break
      }
    }
    checkSaved(journal, from: first) {
      // Looks and look-ups are refused, too, and their requests fail for it.
      rows.dropFirst(first).contains { row in
        String(decoding: row.json, as: UTF8.self).contains(#""reason":"throttled""#)
      }
    }
    if budget.calls == sent { reach(.budgetUsedUp) }
  }

  /// A run that could not go on says so, and from when on it can.
  private mutating func checkSaved(
    _ journal: [JournalRow],
    from first: Int,
    isThrottled: () -> Bool
  ) {
    var isCancelled = false
    for entry in journal.dropFirst(first) {
      switch entry {
      case .request(_, "cancelled", _): isCancelled = true
      case .ended(let status, let code, let end, let moment):
        if let moment {
          reach(.resumeAfter)
          if moment < end { blame("I7: the run says to go on before its end") }
          let isRight =
            switch status {
            case "unfinished": [75, 69].contains(code)
            case "in_doubt": code == 3
            case "failed": code == 77
            default: false
            }
          if !isRight {
            blame("I7: the run may go on later, but is \(status) with \(code)")
          }
        } else if code == 75 && !isThrottled() {
          blame("I7: nobody knows why the run is to be tried again later")
        }
        if isCancelled && [0, 1].contains(code) {
          blame("I6: something was not sent, but the exit code is \(code)")
        }
      default: break
      }
    }
  }
}
