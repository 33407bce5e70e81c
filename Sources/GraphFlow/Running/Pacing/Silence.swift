/// How long to ask nothing after a refusal.
struct Silence: Hashable, Sendable {
  private static let first: Int64 = 30_000
  private static let longest: Int64 = 900_000
  private static let day: Int64 = 86_400_000

  /// How long.
  let length: Duration

  /// - Parameters:
  ///   - hint: what Graph has asked for, which is never undercut; beyond a day it is no hint.
  ///   - refusals: how many refusals there were in a row.
  ///   - chance: from 0 to 1.
  init(hint: Duration?, refusals: Int, _ chance: Double) {
    if let hint {
      let milliseconds = min(max(hint.milliseconds, 0), Self.day)
      let spread = Double(min(milliseconds / 10 + 500, 60_000))
      length = .milliseconds(milliseconds + Int64(spread * chance))
    } else {
      let step = min(Self.first << Int64(min(max(refusals, 1) - 1, 16)), Self.longest)
      length = .milliseconds(step / 2 + Int64(Double(step) / 2 * chance))
    }
  }
}
