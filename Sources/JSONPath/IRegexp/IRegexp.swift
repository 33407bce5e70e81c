/// A regular expression as RFC 9485 (I-Regexp) defines it.
///
/// Matching tries all alternatives at once, so its time grows with the text times the pattern and
/// never faster; there is no pattern that makes it hang.
public struct IRegexp: Written, Sendable {
  /// The pattern as it was written.
  public let text: String
  let program: IRegexpProgram

  /// Reads a pattern.
  ///
  /// - Throws: The first fault in its grammar, or that it is too large: repetitions written as counts
  ///   multiply its size.
  public init(_ pattern: String) throws(IRegexp.SyntaxError) {
    text = pattern
    program = try IRegexpProgram(IRegexpParser.tree(of: pattern))
  }

  /// Whether the pattern fits the whole text.
  public func matches(_ text: String) -> Bool { program.fits(text, .whole) { _ in } }

  /// Whether the pattern fits some part of the text.
  public func isFound(in text: String) -> Bool { program.fits(text, .part) { _ in } }

  /// Whether the pattern fits the whole text.
  ///
  /// - Throws: If the answer takes more steps than the limit allows.
  package func matches(_ text: String, limit: StepLimit) throws(QueryLimitExceeded) -> Bool {
    var steps = StepCounter(limit)
    return try fits(text, .whole, &steps)
  }

  /// Whether the pattern fits some part of the text.
  ///
  /// - Throws: If the answer takes more steps than the limit allows.
  package func isFound(in text: String, limit: StepLimit) throws(QueryLimitExceeded) -> Bool {
    var steps = StepCounter(limit)
    return try fits(text, .part, &steps)
  }

  /// Whether the pattern fits, counting the steps.
  func fits(
    _ text: String,
    _ extent: IRegexpProgram.Extent,
    _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Bool {
    try program.fits(text, extent) { count throws(QueryLimitExceeded) in try steps.spend(count) }
  }
}

extension IRegexp {
  /// Why a text is not an I-Regexp, and where.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Characters (Unicode scalars) before the fault.
    public let offset: Int
    /// What is wrong, as a fragment without a full stop.
    public let message: String
    /// Whether the pattern may be well-formed and is only larger than is accepted.
    let isAboutSize: Bool

    init(offset: Int, message: String, isAboutSize: Bool = false) {
      self.offset = offset
      self.message = message
      self.isAboutSize = isAboutSize
    }

    /// Place and fault: `at 3: this '(' is never closed`.
    public var description: String { "at \(offset): \(message)" }
  }
}
