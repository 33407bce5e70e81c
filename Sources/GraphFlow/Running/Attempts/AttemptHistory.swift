/// The attempts at sending something, and how many of them count against the policy for retries.
struct AttemptHistory: Hashable, Sendable {
  /// Why an attempt is not charged.
  enum Refund: Hashable, Sendable {
    /// It was none: Graph did not run the operation, or the answer was one page or one poll of
    /// several.
    case notMade
    /// It was none, because the call was refused for the token of another operation.
    case refusedForAnother
    /// The next one has another token.
    case anotherToken
    /// Graph is to be left alone for a while, or the call was too large for a read.
    case waiting
  }

  /// How many were made, those before a resume included.
  private(set) var made = 0
  /// How many of them count; only those of this process.
  private(set) var counted = 0
  /// When the first of this process was made, from the run's start on; nil before it.
  private(set) var first: Duration?
  /// Whether the next one is no retry: it is made for the sake of another token.
  private(set) var isNextFree = false

  /// Begins before the first attempt, or after those of earlier processes.
  init(madeBefore made: Int = 0) {
    self.made = made
  }

  /// Notes one more attempt.
  mutating func recordAttempt(at now: Duration) {
    made += 1
    counted += 1
    first = first ?? now
    isNextFree = false
  }

  /// Takes the last attempt back, as far as the reason says.
  mutating func refund(_ reason: Refund) {
    counted -= 1
    if reason == .notMade || reason == .refusedForAnother { made -= 1 }
    if reason == .anotherToken || reason == .refusedForAnother { isNextFree = true }
  }
}
