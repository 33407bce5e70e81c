package import JSONPath

/// A JSON value with placeholders at any depth.
package enum ValueTemplate: Hashable, Sendable {
  /// A named value of a map.
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: ValueTemplate
  }

  /// A value without placeholders at any depth.
  case literal(JSON)
  /// A text with at least one placeholder; a text that is one placeholder takes the value's type.
  case template(Template)
  case list([ValueTemplate])
  case map([Member])

  package var placeholders: [Placeholder] {
    switch self {
    case .literal: []
    case .template(let template): template.placeholders
    case .list(let elements): elements.flatMap(\.placeholders)
    case .map(let members): members.flatMap(\.value.placeholders)
    }
  }

  /// The value as it is written, without its location.
  var writtenText: String {
    switch self {
    case .literal(let value): value.serialized()
    case .template(let template): template.text
    case .list(let elements): "[\(elements.map(\.writtenText).joined(separator: ","))]"
    case .map(let members):
      "{\(members.map { "\($0.name):\($0.value.writtenText)" }.joined(separator: ","))}"
    }
  }
}
