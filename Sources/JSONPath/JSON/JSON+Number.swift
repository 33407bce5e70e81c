extension JSON {
  /// A number as it was written.
  ///
  /// Equality, order and hash go by the exact numeric value and never through `Double`:
  /// `1`, `1.0` and `10e-1` are equal, `1e400` and `1e401` are not.
  public struct Number: Sendable {
    /// The text, in JSON's grammar (RFC 8259 §6).
    public let lexeme: String

    /// Makes a whole number.
    public init(_ value: Int) { lexeme = String(value) }

    /// Makes a number from its text; nil if the text is not a JSON number.
    public init?(lexeme: String) {
      let bytes = Array(lexeme.utf8)
      guard JSONLexer.numberEnd(in: bytes.span, from: 0) == bytes.count else { return nil }
      self.lexeme = lexeme
    }

    /// Makes a number from text that a lexer has already accepted.
    init(checked lexeme: String) { self.lexeme = lexeme }

    /// The value as an `Int`, or nil if it is not whole (`1.0` and `1e2` are) or does not fit.
    public var integer: Int? { plainInteger ?? Decimal(lexeme).integer }

    /// The value if it is written without fraction and exponent and fits: the usual, fast case.
    fileprivate var plainInteger: Int? { Int(lexeme) }

    /// The nearest `Double`; infinite beyond its range.
    public var double: Double { Double(lexeme) ?? .nan }
  }
}

extension JSON.Number: Comparable {
  /// Compares exact numeric values.
  public static func == (left: JSON.Number, right: JSON.Number) -> Bool {
    guard left.lexeme != right.lexeme else { return true }
    guard let leftInteger = left.plainInteger, let rightInteger = right.plainInteger else {
      return Decimal(left.lexeme) == Decimal(right.lexeme)
    }
    return leftInteger == rightInteger
  }

  /// Orders by exact numeric value.
  public static func < (left: JSON.Number, right: JSON.Number) -> Bool {
    guard let leftInteger = left.plainInteger, let rightInteger = right.plainInteger else {
      return Decimal(left.lexeme) < Decimal(right.lexeme)
    }
    return leftInteger < rightInteger
  }
}

extension JSON.Number: Hashable {
  /// Hashes the exact numeric value.
  public func hash(into hasher: inout Hasher) { hasher.combine(Decimal(lexeme)) }
}
