package import JSONPath

/// A JSON value with placeholders at any depth.
package indirect enum ValueTemplate: Hashable, Sendable {
  /// A named value of a map.
  package struct Member: Hashable, Sendable {
    /// The name, which has no placeholders.
    package let name: String
    /// The value.
    package let value: ValueTemplate
  }

  /// A value without placeholders at any depth.
  case literal(JSON)
  /// A text with at least one placeholder; a text that is one placeholder takes the value's type.
  case template(Template)
  /// A list with placeholders at some depth.
  case list([ValueTemplate])
  /// A map with placeholders at some depth.
  case map([Member])

  /// The placeholders at any depth, in order.
  package var placeholders: [Placeholder] {
    switch self {
    case .literal: []
    case .template(let template): template.placeholders
    case .list(let elements): elements.flatMap(\.placeholders)
    case .map(let members): members.flatMap(\.value.placeholders)
    }
  }
}
