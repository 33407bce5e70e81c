/// How many operations Graph has counted per minute, as far back as its windows reach.
///
/// Graph's limits are rolling windows of an hour (Graph API, "Rate Limits"): what was counted in a
/// minute counts until an hour after its end.
package struct OperationHistory: Hashable, Sendable {
  static let window = Duration.seconds(3600)
  private static let minute: Int64 = 60_000

  /// The operations by the minute, counted from 1970, in which they were counted.
  package private(set) var counts: [Int64: Int]

  /// Creates a history from stored counts; negative and implausible ones are ignored.
  init(counts: [Int64: Int] = [:]) {
    self.counts = counts.filter { $0.key >= 0 && (1...1_000_000_000).contains($0.value) }
  }

  /// Adds operations, and removes what left the window an hour ago.
  mutating func add(_ count: Int, at now: Timestamp) {
    guard count > 0 else { return }
    let minute = now.milliseconds / Self.minute
    if counts.updateValue((counts[minute] ?? 0) + count, forKey: minute) == nil {
      counts = counts.filter { $0.key > minute - 122 && $0.key <= minute + 1 }
    }
  }

  /// Adds what another process counted.
  mutating func add(_ other: OperationHistory, at now: Timestamp) {
    let minute = now.milliseconds / Self.minute
    for (key, count) in other.counts where key > minute - 122 && key <= minute + 1 {
      counts[key, default: 0] += count
    }
    counts = counts.filter { $0.key > minute - 122 }
  }

  /// Removes what was counted in the future, by a clock that was wrong.
  mutating func removeCounts(after now: Timestamp) {
    let minute = now.milliseconds / Self.minute
    counts = counts.filter { $0.key <= minute + 1 }
  }

  func count(at now: Timestamp) -> Int {
    counts.reduce(0) { $0 + (Self.end(of: $1.key) > now ? $1.value : 0) }
  }

  func left(after start: Timestamp, by now: Timestamp) -> Int {
    counts.reduce(0) { sum, entry in
      let end = Self.end(of: entry.key)
      return end > start && end <= now ? sum + entry.value : sum
    }
  }

  /// When a number of operations will have left the window; nil if it holds fewer.
  func time(whenLeft wanted: Int, after now: Timestamp) -> Timestamp? {
    var left = 0
    for minute in counts.keys.sorted() where Self.end(of: minute) > now {
      left += counts[minute] ?? 0
      if left >= wanted { return Self.end(of: minute) }
    }
    return nil
  }

  private static func end(of minute: Int64) -> Timestamp {
    Timestamp(milliseconds: (minute + 1) * Self.minute).advanced(by: window)
  }
}
