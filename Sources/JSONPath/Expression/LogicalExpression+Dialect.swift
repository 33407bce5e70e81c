extension LogicalExpression {
  /// The additions of a host language to RFC 9535's expressions.
  package struct Dialect: Sendable {
    /// Parses an operand of the host.
    ///
    /// It is called at a `{` where an operand may start, with the whole text and the brace's index.
    /// Nil means that there is no operand of the host here; this is then a syntax error.
    package typealias OperandParser =
      @Sendable (_ text: String, _ brace: String.Index) throws(Query.SyntaxError) -> HostOperand?

    /// Whether `$` has a value.
    let allowsRoot: Bool
    /// The functions besides RFC 9535's five.
    let functions: [HostFunction]
    /// Parses the host's operands; nil if there are none.
    let operand: OperandParser?

    package init(
      allowsRoot: Bool = true, functions: [HostFunction] = [], operand: OperandParser? = nil
    ) {
      self.allowsRoot = allowsRoot
      self.functions = functions
      self.operand = operand
    }

    /// RFC 9535 without additions.
    package static let rfc9535 = Dialect()
  }

  /// An operand in a host's own notation.
  package struct HostOperand: Hashable, Sendable {
    /// The index after the operand.
    package let end: String.Index
    /// The id that the host receives when the expression is evaluated.
    package let id: Int
    /// Whether it yields at most one value; only such an operand may be compared.
    package let isSingular: Bool

    package init(end: String.Index, id: Int, isSingular: Bool) {
      self.end = end
      self.id = id
      self.isSingular = isSingular
    }
  }

  /// A function that a host adds; its parameters and its result are single values (ValueType).
  package struct HostFunction: Hashable, Sendable {
    /// A lower-case letter, then lower-case letters, digits and `_`.
    package let name: String
    package let parameterCount: Int

    package init(name: String, parameterCount: Int) {
      self.name = name
      self.parameterCount = parameterCount
    }
  }
}
