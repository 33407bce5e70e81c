/// How much of Graph's limits a run may use.
package struct RunBudget: Hashable, Sendable {
  /// How many operations may be sent, each id of `ids` being one; nil for any number.
  package var calls: Int?
  /// The percent of any of Graph's limits that is not gone beyond; nil for what is prudent.
  package var usage: Int?

  /// Sets bounds; without any, no bounds but Graph's own.
  package init(calls: Int? = nil, usage: Int? = nil) {
    self.calls = calls
    self.usage = usage
  }

  /// Reads `calls=N,usage=P%`, or one of the two.
  ///
  /// - Throws: what is wrong with it.
  package init(_ text: String) throws(Problem) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2 else { throw Problem(message: "'\(part)' is not NAME=VALUE") }
      switch pieces[0] {
      case "calls":
        guard calls == nil else { throw Problem(message: "'calls' is given twice") }
        guard let count = Int(pieces[1]), (1...1_000_000_000).contains(count) else {
          throw Problem(message: "calls is '\(pieces[1])', but must be from 1 to 1000000000")
        }
        calls = count
      case "usage":
        guard usage == nil else { throw Problem(message: "'usage' is given twice") }
        let digits = pieces[1].hasSuffix("%") ? pieces[1].dropLast() : pieces[1]
        guard let percent = Int(digits), (1...100).contains(percent) else {
          throw Problem(message: "usage is '\(pieces[1])', but must be from 1% to 100%")
        }
        usage = percent
      default: throw Problem(message: "'\(pieces[0])' is neither 'calls' nor 'usage'")
      }
    }
  }

  /// What is wrong with a text, as a fragment without a full stop.
  package struct Problem: Error, Hashable, Sendable {
    /// What is wrong.
    package let message: String
  }
}
