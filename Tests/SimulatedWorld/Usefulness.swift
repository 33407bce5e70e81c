/// The outcomes of lost writes that confirmation can decide: Graph's answers have a `Date`, no one
/// else has posted the same, and reads show the write.
package struct Usefulness: Sendable, Equatable {
  /// Writes that took effect and were found.
  package var found = 0
  /// Writes that took effect and were left in doubt.
  package var missed = 0
  /// Writes that took no effect and were sent again, or failed because no attempts were left.
  package var sentAgain = 0
  /// Writes that took no effect and were left in doubt.
  package var kept = 0
  /// Writes whose checks Graph refused permanently; they do not count.
  package var refused = 0

  /// Writes that were lost at least once, also if Graph refused their checks.
  package var lost = 0
  /// Lost writes that are in doubt at the end, after all faults have ended and the run was resumed.
  package var leftAtEnd = 0

  /// The required percentage of correct results, for writes with and without an effect.
  package static let least = 99

  /// Whether enough results are correct; a few writes prove nothing.
  package var isEnough: Bool {
    isEnough(found, of: found + missed) && isEnough(sentAgain, of: sentAgain + kept)
  }

  private func isEnough(_ count: Int, of all: Int) -> Bool {
    all < 100 || count * 100 >= all * Self.least
  }

  mutating func add(_ other: Usefulness) {
    found += other.found
    missed += other.missed
    sentAgain += other.sentAgain
    kept += other.kept
    refused += other.refused
    lost += other.lost
    leftAtEnd += other.leftAtEnd
  }

  /// The figures as text.
  var text: String {
    func share(_ count: Int, _ all: Int) -> String {
      let hundredths = all == 0 ? 0 : count * 10_000 / all
      let rest = hundredths % 100
      return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
    }
    let all = found + missed + sentAgain + kept
    return "lost writes with a confirmation check: of those that took effect "
      + "\(share(found, found + missed)) were found (\(found)), of those that did not "
      + "\(share(sentAgain, sentAgain + kept)) were sent again or failed (\(sentAgain)); "
      + "\(share(missed + kept, all)) were left in doubt; "
      + "\(refused) more whose checks Graph refused; "
      + "of all \(lost), \(share(leftAtEnd, lost)) were in doubt at the end"
  }
}
