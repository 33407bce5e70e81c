/// The usage of one limit within its rolling window, and its block.
///
/// Calls are counted by sixtieths of the window: by minutes, if it is an hour. Counting takes
/// amortized constant time.
struct UsageWindow: Sendable {
  private let limit: UsageLoad
  private let width: Int
  private var sum = UsageLoad()
  /// One for each slice of time with usage, oldest first.
  private var buckets: [(slice: Int, amount: UsageLoad)] = []
  private var first = 0
  /// When access is regained; a time that has passed means no block.
  private(set) var blockedUntil = 0

  private static let slices = 60

  init(_ quota: RateLimits.Quota, window: Int, at now: Int) {
    limit = UsageLoad(
      calls: quota.calls,
      processorTime: quota.processorTime ?? quota.calls * UsageLoad.upload.processorTime,
      time: quota.time ?? quota.calls * UsageLoad.upload.time)
    width = max(1, window / Self.slices)
    if quota.used > 0 { add(.node * quota.used, at: now) }
  }

  /// Counts calls; starts a block when a measure is used up.
  mutating func add(_ amount: UsageLoad, at now: Int) {
    expire(at: now)
    let slice = now / width
    if let last = buckets.last, last.slice >= slice, first < buckets.count {
      buckets[buckets.count - 1].amount += amount
    } else {
      buckets.append((slice, amount))
    }
    sum += amount
    if isUsedUp(sum) { blockedUntil = max(blockedUntil, unblockTime) }
  }

  func isBlocked(at now: Int) -> Bool { now < blockedUntil }

  /// Extends a block, as Graph does for calls during one (docs/internals/graph-api.md, Rate limits).
  ///
  /// It never ends later than a day and a window from now.
  ///
  /// - Returns: whether there is a block.
  mutating func extendBlock(by penalty: Int, at now: Int) -> Bool {
    guard isBlocked(at: now) else { return false }
    blockedUntil = max(
      blockedUntil, min(blockedUntil + penalty, now + width * Self.slices + 86_400))
    return true
  }

  /// Minutes until access is regained, rounded up.
  func minutesBlocked(at now: Int) -> Int {
    isBlocked(at: now) ? (blockedUntil - now + 59) / 60 : 0
  }

  /// The measures in whole percents.
  mutating func load(at now: Int) -> UsageLoad {
    expire(at: now)
    return UsageLoad(
      calls: sum.calls * 100 / limit.calls,
      processorTime: sum.processorTime * 100 / limit.processorTime,
      time: sum.time * 100 / limit.time)
  }

  /// Removes usage older than the window; a clock that goes backwards removes nothing.
  private mutating func expire(at now: Int) {
    let oldest = now / width - Self.slices
    while first < buckets.count, buckets[first].slice <= oldest {
      sum -= buckets[first].amount
      first += 1
    }
    guard first > Self.slices else { return }
    buckets.removeFirst(first)
    first = 0
  }

  private func isUsedUp(_ amount: UsageLoad) -> Bool {
    amount.calls >= limit.calls || amount.processorTime >= limit.processorTime
      || amount.time >= limit.time
  }

  /// When enough usage has left the window to answer calls again.
  private var unblockTime: Int {
    var rest = sum
    for bucket in buckets[first...] {
      rest -= bucket.amount
      if !isUsedUp(rest) { return (bucket.slice + Self.slices) * width }
    }
    return 0
  }
}
