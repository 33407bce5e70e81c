/// The pause after a refusal.
struct Silence: Hashable, Sendable {
  private static let first: Int64 = 30_000
  private static let longest: Int64 = 900_000
  private static let day: Int64 = 86_400_000

  let length: Duration

  /// Computes a pause.
  ///
  /// - Parameters:
  ///   - hint: the pause that Graph asks for, which is the minimum; more than a day counts as a day.
  ///   - refusals: how many refusals there were in a row.
  ///   - jitter: from 0 to 1.
  init(hint: Duration?, refusals: Int, _ jitter: Double) {
    if let hint {
      let milliseconds = min(max(hint.milliseconds, 0), Self.day)
      let spread = Double(min(milliseconds / 10 + 500, 60_000))
      length = .milliseconds(milliseconds + Int64(spread * jitter))
    } else {
      let step = min(Self.first << Int64(min(max(refusals, 1) - 1, 16)), Self.longest)
      length = .milliseconds(step / 2 + Int64(Double(step) / 2 * jitter))
    }
  }
}
