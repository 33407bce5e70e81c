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
    /// The functions besides RFC 9535's five: their names, of lower-case letters, digits and `_`, and
    /// the number of their parameters, which are single values (ValueType) like the result.
    let functions: KeyValuePairs<String, Int>
    /// Parses the host's operands; nil if there are none.
    let operand: OperandParser?

    package init(
      allowsRoot: Bool = true, functions: KeyValuePairs<String, Int> = [:],
      operand: OperandParser? = nil
    ) {
      self.allowsRoot = allowsRoot
      self.functions = functions
      self.operand = operand
    }

    func parameterCount(of function: String) -> Int? {
      functions.first { $0.key == function }?.value
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
}
