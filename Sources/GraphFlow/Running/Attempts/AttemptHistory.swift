/// The attempts at an operation, and the number of them that the retry policy counts.
struct AttemptHistory: Hashable, Sendable {
  /// Why an attempt does not count.
  enum Refund: Hashable, Sendable {
    /// Graph did not run the operation, or the answer was one page or one poll of several.
    case notMade
    /// The call was refused because of another operation's token.
    case refusedForAnother
    /// The next attempt has another token.
    case anotherToken
    /// The call was throttled, or a read failed because its call was too large.
    case waiting
  }

  /// The number of attempts, including those before a resume.
  private(set) var made = 0
  /// The number of attempts that count; only those of this process.
  private(set) var counted = 0
  /// When this process made its first attempt, since the run's start; nil before it.
  private(set) var first: Duration?
  /// Whether the next attempt is not a retry, because it has another token.
  private(set) var isNextFree = false

  /// Makes a history before the first attempt, or after those of earlier processes.
  init(madeBefore made: Int = 0) { self.made = made }

  /// Records one more attempt.
  mutating func recordAttempt(at now: Duration) {
    made += 1
    counted += 1
    first = first ?? now
    isNextFree = false
  }

  /// Begins a new count after an answer that is one step of several; `failures` still count.
  mutating func restart(after failures: Int) {
    made -= 1
    (counted, first, isNextFree) = (failures, nil, false)
  }

  /// Refunds the last attempt; the reason decides whether it is still one that was made.
  mutating func refund(_ reason: Refund) {
    counted -= 1
    if reason == .notMade || reason == .refusedForAnother { made -= 1 }
    if reason == .anotherToken || reason == .refusedForAnother { isNextFree = true }
  }
}
