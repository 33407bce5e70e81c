extension LogicalExpression {
  /// What a host language adds to RFC 9535's expressions.
  public struct Dialect: Sendable {
    /// Finds the host's operands.
    ///
    /// It is asked at a `{` where an operand may start, with the whole text and the brace's index.
    /// Nil says that this is none of the host's operands, which is then a syntax error.
    public typealias OperandParser =
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
    public init(
      allowsRoot: Bool = true,
      functions: [HostFunction] = [],
      operand: OperandParser? = nil
    ) {
      self.allowsRoot = allowsRoot
      self.functions = functions
      self.operand = operand
    }

    /// RFC 9535 as it is.
    public static let rfc9535 = Dialect()
  }

  /// An operand in a host's own notation.
  public struct HostOperand: Hashable, Sendable {
    /// Where the text goes on behind it.
    public let end: String.Index
    /// What the host will be asked for when the expression is evaluated.
    public let id: Int
    /// Whether it yields at most one value; only such an operand may be compared.
    public let isSingular: Bool

    /// Describes an operand that has been found.
    public init(end: String.Index, id: Int, isSingular: Bool) {
      self.end = end
      self.id = id
      self.isSingular = isSingular
    }
  }

  /// A function that a host adds; its parameters and its result are single values (ValueType).
  public struct HostFunction: Hashable, Sendable {
    /// A lower-case letter, then lower-case letters, digits and `_`.
    public let name: String
    /// How many arguments it takes.
    public let parameterCount: Int

    /// Describes a function.
    public init(name: String, parameterCount: Int) {
      self.name = name
      self.parameterCount = parameterCount
    }
  }
}
