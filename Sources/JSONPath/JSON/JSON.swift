/// A JSON value (RFC 8259) that preserves the order of members and the text of numbers.
///
/// Equality follows RFC 9535 §2.3.5.2.2: numbers are compared by exact numeric value, strings by
/// Unicode scalars (never by canonical equivalence), and objects regardless of order.
public enum JSON: Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, with its text.
  case number(Number)
  /// A string, unescaped.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object, with its members in text order.
  case object(Object)

  /// The deepest nesting that a text may have, and the default of every parser here: 512 levels.
  ///
  /// Values are traversed, printed and freed recursively, so this also bounds the stack they need.
  public static let depthLimit = 512
}

extension JSON {
  /// The value of the member with that name, or nil if there is none or this is not an object.
  public subscript(_ name: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[name]
  }

  /// The value at a path of member names; nil if there is none.
  package subscript(path names: [String]) -> JSON? {
    guard let first = names.first else { return self }
    var value = self[first]
    for name in names.dropFirst() { value = value?[name] }
    return value
  }

  /// The element at that index, from 0, or nil if there is none or this is not an array.
  public subscript(_ index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  /// The Boolean value, or nil if this is not one.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The number as an `Int`, or nil if this is not a whole number or does not fit.
  public var integer: Int? { number?.integer }

  /// The number, or nil if this is not one.
  public var number: Number? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  /// The text of a string, or nil if this is not one.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements of an array, or nil if this is not one.
  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members of an object, or nil if this is not one.
  public var object: Object? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

extension JSON: Hashable {
  /// Compares by value (RFC 9535 §2.3.5.2.2).
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ScalarString(value))
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSON {
  /// A JSON number that keeps its text.
  ///
  /// Equality, order and hash use the exact numeric value, never `Double`:
  /// `1`, `1.0` and `10e-1` are equal, `1e400` and `1e401` are not.
  public struct Number: Sendable {
    /// The text, in JSON's grammar (RFC 8259 §6).
    public let lexeme: String

    /// Makes a whole number.
    public init(_ value: Int) { lexeme = String(value) }

    /// Makes a number from its text; nil if the text is not a JSON number (RFC 8259 §6).
    public init?(lexeme: String) {
      let bytes = Array(lexeme.utf8)
      guard JSONLexer.numberEnd(in: bytes.span, from: 0) == bytes.count else { return nil }
      self.lexeme = lexeme
    }

    /// Makes a number from text that a lexer has already accepted.
    init(checked lexeme: String) { self.lexeme = lexeme }

    /// The value as an `Int`, or nil if it is not whole or does not fit; `1.0` and `1e2` are whole.
    public var integer: Int? { plainInteger ?? Decimal(lexeme).integer }
    /// The usual, fast case: the value if it has neither fraction nor exponent and fits.
    fileprivate var plainInteger: Int? { Int(lexeme) }
    /// The nearest `Double`; infinite if the value exceeds its range.
    public var double: Double { Double(lexeme) ?? .nan }
  }
}

extension JSON.Number: Hashable, Comparable {
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

  /// Hashes the exact numeric value.
  public func hash(into hasher: inout Hasher) { hasher.combine(Decimal(lexeme)) }
}

// There is no `nil` literal: a missing optional value would silently become `null`, which is sent.

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes a number.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }

  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// Makes an object with its members in the order written.
  public init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}
