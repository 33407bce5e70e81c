/// Counts what the application has used, for the usage headers (graph-api facts §6).
///
/// Every operation and every id of `ids=` counts (decision 27 of §13). Nothing is refused yet.
struct UsageMeter: Sendable {
  /// Calls an hour that make 100 %.
  var quota = 1_000_000
  private(set) var calls = 0
  private var cost = 0
  private var hour = 0
  /// The value of `X-App-Usage`.
  private(set) var header = UsageMeter.text(calls: 0, cost: 0)

  /// Counts reads (cost 1) or writes (cost 3).
  mutating func record(_ count: Int = 1, cost unit: Int, at now: Int) {
    if now / 3_600 != hour {
      hour = now / 3_600
      calls = 0
      cost = 0
    }
    let before = percent(calls) &+ percent(cost)
    calls &+= count
    cost &+= count &* unit
    guard percent(calls) &+ percent(cost) != before || calls == count else { return }
    header = Self.text(calls: percent(calls), cost: percent(cost))
  }

  private func percent(_ value: Int) -> Int { value &* 100 / max(1, quota) }

  private static func text(calls: Int, cost: Int) -> String {
    "{\"call_count\":\(calls),\"total_cputime\":\(cost),\"total_time\":\(cost)}"
  }
}
