extension Query {
  /// Why a text is not a query or an expression, where, and what to write instead.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// Characters (Unicode scalars) before the fault.
    public let offset: Int
    /// What is wrong, as a fragment without a full stop.
    public let message: String
    /// What to do about it, if that is plain: "write [0]".
    public let hint: String?

    /// Makes an error; a host's operand parser throws its own.
    package init(offset: Int, message: String, hint: String? = nil) {
      self.offset = offset
      self.message = message
      self.hint = hint
    }
  }
}

extension Query.SyntaxError: CustomStringConvertible {
  /// Place, fault and hint: `at 7: expected a name after '.' (write [0])`.
  public var description: String {
    "at \(offset): \(message)" + (hint.map { " (\($0))" } ?? "")
  }
}
