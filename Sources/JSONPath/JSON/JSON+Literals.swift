// No `nil`: an optional value that is missing would become `null` without a word, and `null` is sent.

extension JSON: ExpressibleByBooleanLiteral {
  /// Makes `true` or `false`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Makes a number.
  package init(integerLiteral value: Int) { self = .number(Number(value)) }
}

extension JSON: ExpressibleByStringLiteral {
  /// Makes a string.
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Makes an array.
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Makes an object whose members stand in the order written.
  package init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}
