extension LogicalExpression {
  /// What a host language adds to RFC 9535's expressions.
  package struct Dialect: Sendable {
    /// Finds the host's operands.
    ///
    /// It is asked at a `{` where an operand may start, with the whole text and the brace's index.
    /// Nil says that this is none of the host's operands, which is then a syntax error.
    package typealias OperandParser =
      @Sendable (_ text: String, _ brace: String.Index) throws(Query.SyntaxError) -> HostOperand?

    let allowsRoot: Bool
    let functions: [HostFunction]
    let operand: OperandParser?

    /// Makes a dialect.
    ///
    /// - Parameters:
    ///   - allowsRoot: Whether `$` stands for anything.
    ///   - functions: What may be called beside RFC 9535's five functions.
    ///   - operand: Finds the host's operands, if there are any.
    package init(
      allowsRoot: Bool = true,
      functions: [HostFunction] = [],
      operand: OperandParser? = nil
    ) {
      self.allowsRoot = allowsRoot
      self.functions = functions
      self.operand = operand
    }

    /// RFC 9535 as it is.
    package static let rfc9535 = Dialect()
  }

  /// An operand in a host's own notation.
  package struct HostOperand: Hashable, Sendable {
    /// Where the text goes on behind it.
    package let end: String.Index
    /// What the host will be asked for when the expression is evaluated.
    package let id: Int
    /// Whether it yields at most one value; only such an operand may be compared.
    package let isSingular: Bool

    /// Describes an operand that has been found.
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
    /// How many arguments it takes.
    package let parameterCount: Int

    /// Describes a function.
    package init(name: String, parameterCount: Int) {
      self.name = name
      self.parameterCount = parameterCount
    }
  }
}
