/// A run's budget, and how much of it is used.
struct BudgetUse: Sendable {
  /// How far the run may fill a limit.
  let bounds: QuotaGauge.Bounds
  private let calls: Int?
  private var spent = 0
  private var firstCall: Timestamp?

  init(_ budget: RunBudget) {
    calls = budget.calls
    if let percent = budget.usage {
      // Percents are rounded, perhaps down.
      bounds = QuotaGauge.Bounds(ceiling: min(Double(percent) - 1, 90), isStrict: true)
    } else {
      bounds = QuotaGauge.Bounds()
    }
  }

  var isLimited: Bool { calls != nil || bounds.isStrict }

  func allowance(at now: Timestamp) -> Allowance {
    guard let calls else { return .operations(.max) }
    guard spent < calls else { return exhausted(at: now) }
    return .operations(calls - spent)
  }

  /// The allowance if the budget has no room for the next call.
  ///
  /// Operations that were sent an hour ago no longer count against Graph's limits.
  func exhausted(at now: Timestamp) -> Allowance {
    let until = (firstCall ?? now).advanced(by: OperationHistory.window)
    return .exhausted(QuotaPause(until: max(until, now), cause: .budget))
  }

  mutating func spend(_ count: Int, at now: Timestamp) {
    spent += count
    firstCall = firstCall ?? now
  }
}
