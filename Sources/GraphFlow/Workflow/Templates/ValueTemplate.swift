package import JSONPath

/// A JSON value with holes at any depth.
package indirect enum ValueTemplate: Hashable, Sendable {
  /// A named value of a map.
  package struct Member: Hashable, Sendable {
    /// The name, in which nothing is replaced.
    package let name: String
    /// The value.
    package let value: ValueTemplate
  }

  /// A value without holes, however deep.
  case literal(JSON)
  /// A text with at least one hole; one that is a single hole keeps the type of what fills it.
  case template(Template)
  /// A list with holes somewhere in it.
  case list([ValueTemplate])
  /// A map with holes somewhere in it.
  case map([Member])

  /// The holes at any depth, in order.
  package var placeholders: [Placeholder] {
    switch self {
    case .literal: []
    case .template(let template): template.placeholders
    case .list(let elements): elements.flatMap(\.placeholders)
    case .map(let members): members.flatMap(\.value.placeholders)
    }
  }
}
