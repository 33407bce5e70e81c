extension Query {
  /// Why a text is not a valid query or expression, where, and what to write instead.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// The offset of the error in characters (Unicode scalars), from 0.
    public let offset: Int
    /// What is wrong: a phrase without a full stop.
    public let message: String
    /// The correction, if there is an obvious one: `write [0]`.
    public let hint: String?

    /// Makes an error, for a host's operand parser.
    package init(offset: Int, message: String, hint: String? = nil) {
      self.offset = offset
      self.message = message
      self.hint = hint
    }
  }
}

extension Query.SyntaxError: CustomStringConvertible {
  /// Offset, message and hint: `at 7: expected a name after '.' (write [0])`.
  public var description: String { "at \(offset): \(message)" + (hint.map { " (\($0))" } ?? "") }
}
