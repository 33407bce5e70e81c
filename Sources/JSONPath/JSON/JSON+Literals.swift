// No `nil`: an optional value that is missing would become `null` without a word, and `null` is sent.

extension JSON: ExpressibleByBooleanLiteral {
  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
}

extension JSON: ExpressibleByStringLiteral {
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Makes an object whose members stand in the order written.
  public init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}
