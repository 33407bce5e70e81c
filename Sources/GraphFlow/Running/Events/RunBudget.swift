/// How much of Graph's limits a run may use; without values only Graph's own limits apply.
package struct RunBudget: Hashable, Sendable {
  /// The maximum number of operations, each id of `ids` being one; nil for any number.
  package var calls: Int?
  /// The maximum percent of any of Graph's limits; nil for the default.
  package var usage: Int?

  package init(calls: Int? = nil, usage: Int? = nil) {
    self.calls = calls
    self.usage = usage
  }

  /// Reads `calls=N,usage=P%`, or one of the two.
  package init(_ text: String) throws(Problem) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2 else { throw Problem(message: "'\(part)' is not NAME=VALUE") }
      switch pieces[0] {
      case "calls": try Self.read(pieces[1], into: &calls, "calls", upTo: 1_000_000_000)
      case "usage": try Self.read(pieces[1], into: &usage, "usage", upTo: 100, unit: "%")
      default: throw Problem(message: "'\(pieces[0])' is neither 'calls' nor 'usage'")
      }
    }
  }

  private static func read(
    _ text: Substring, into value: inout Int?, _ name: String, upTo most: Int, unit: String = ""
  ) throws(Problem) {
    guard value == nil else { throw Problem(message: "'\(name)' is given twice") }
    let digits = text.hasSuffix(unit) ? text.dropLast(unit.count) : text
    guard let number = Int(digits), (1...most).contains(number) else {
      throw Problem(
        message: "\(name) is '\(text)', but must be from 1\(unit) to \(most)\(unit)")
    }
    value = number
  }

  /// What is wrong with a text, as a fragment without a full stop.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
  }
}
