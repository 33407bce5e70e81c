import GraphAPI

/// What a shard may send of what a limit has left, because the other shards of its job send at the
/// same time.
///
/// Time is divided into turns of a second, which begin with an exchange of quota. In each turn a
/// shard may send one of `count` equal parts of what was left. What the others do not use is divided
/// again in the next turn, so nothing of a limit is lost.
struct ShardTurn: Sendable {
  private static let length = Duration.seconds(1)

  /// How many shards the job has; 1 for a run of everything.
  let count: Int
  /// The percent of a limit from which on it is divided.
  ///
  /// All shards begin at the same time, before they know how full it is. So all of them together may
  /// have used ten percent by then.
  var firstPercent: Double { 10 / Double(count) }
  private var start: Timestamp?
  /// How many operations were sent in this turn, by limit.
  private var sent: [Fingerprint: Int] = [:]

  init(of count: Int) { self.count = count }

  /// What may be sent of a number of operations that a limit has left.
  func allowance(of room: Int, _ limit: Fingerprint, at now: Timestamp) -> Allowance {
    guard let start else { return .operations(.max) }
    let sent = sent[limit] ?? 0
    let left = max((room + sent) / count, 1) - sent
    return left > 0 ? .operations(left) : .afterTurn(max(start.advanced(by: Self.length), now))
  }

  mutating func recordSent(_ loads: [Fingerprint: Int]) {
    if count > 1 { sent.merge(loads, uniquingKeysWith: +) }
  }

  /// Records that quota was exchanged; the next turn begins if this one has ended.
  mutating func recordExchange(at now: Timestamp) {
    guard start.map({ $0.advanced(by: Self.length) <= now }) ?? true else { return }
    (start, sent) = (now, [:])
  }
}
