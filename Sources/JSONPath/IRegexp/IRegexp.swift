/// A regular expression as RFC 9485 (I-Regexp) defines it.
///
/// Matching follows all alternatives at once instead of backtracking, so no pattern makes it hang.
///
/// - Complexity: O(*n* · *m*), where *n* is the length of the text and *m* the size of the pattern.
public struct IRegexp: TextIdentified, Sendable {
  /// The source text of the pattern.
  public let text: String
  let program: IRegexpProgram

  /// Compiles a pattern.
  ///
  /// - Throws: The first syntax error, or an error for a pattern that is too large; counted repetitions
  ///   such as `a{100}` multiply its size.
  public init(_ pattern: String) throws(IRegexp.SyntaxError) {
    text = pattern
    program = try IRegexpProgram(IRegexpParser.tree(of: pattern))
  }

  /// Whether the pattern matches the whole text (`match` of RFC 9535 §2.4.6).
  public func matches(_ text: String) -> Bool {
    (try? matches(text, limit: StepLimit(steps: .max))) ?? false
  }

  /// Whether the pattern matches some part of the text (`search` of RFC 9535 §2.4.7).
  public func isFound(in text: String) -> Bool {
    (try? isFound(in: text, limit: StepLimit(steps: .max))) ?? false
  }

  package func matches(_ text: String, limit: StepLimit) throws(QueryLimitExceeded) -> Bool {
    var steps = StepCounter(limit)
    return try program.matches(text, .whole, &steps)
  }

  package func isFound(in text: String, limit: StepLimit) throws(QueryLimitExceeded) -> Bool {
    var steps = StepCounter(limit)
    return try program.matches(text, .part, &steps)
  }
}

extension IRegexp {
  /// Why a text is not a valid I-Regexp, and where.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the error in characters (Unicode scalars), from 0.
    public let offset: Int
    /// What is wrong: a phrase without a full stop.
    public let message: String
    /// Whether the pattern exceeds a size limit; it may be well-formed.
    var isTooLarge = false

    /// Offset and message: `at 3: this '(' is never closed`.
    public var description: String { "at \(offset): \(message)" }
  }
}
