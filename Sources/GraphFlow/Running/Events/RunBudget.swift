/// How much of Graph's limits a run may use.
package struct RunBudget: Hashable, Sendable {
  /// The maximum number of operations, each id of `ids` being one; nil for any number.
  package var calls: Int?
  /// The maximum percent of any of Graph's limits; nil for the default.
  package var usage: Int?

  /// Creates a budget; without arguments only Graph's own limits apply.
  package init(calls: Int? = nil, usage: Int? = nil) {
    self.calls = calls
    self.usage = usage
  }

  /// Reads `calls=N,usage=P%`, or one of the two.
  ///
  /// - Throws: what is wrong with the text.
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
