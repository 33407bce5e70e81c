/// A value of a YAML file, with its location.
package struct YAMLNode: Sendable {
  /// The content of a value.
  package enum Content: Sendable {
    /// A text; its type is determined when it is needed.
    case scalar(Scalar)
    /// A list.
    case sequence([YAMLNode])
    /// A map, in order; every key is unique.
    case mapping([Entry])
    /// A value that has already been reported; readers skip it silently.
    case invalid
  }

  /// A text as it was written.
  package struct Scalar: Sendable {
    /// The text, unescaped.
    package var text: String
    /// How it was written.
    package var style: Style
    /// The type set by a tag such as `!!int`.
    package var tag = Tag.none
  }

  /// How a scalar was written.
  package enum Style: UInt8, Sendable {
    /// Without quotes: the core schema determines the type.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes, with escapes.
    case doubleQuoted
    /// A block that begins with `|`.
    case literal
    /// A block that begins with `>`.
    case folded
  }

  /// A type of the core schema, written as a tag (YAML 1.2.2 §10.3.1).
  package enum Tag: String, Sendable {
    /// No tag.
    case none = ""
    /// `!!str` or `!`.
    case string = "tag:yaml.org,2002:str"
    /// `!!int`.
    case integer = "tag:yaml.org,2002:int"
    /// `!!float`.
    case float = "tag:yaml.org,2002:float"
    /// `!!bool`.
    case boolean = "tag:yaml.org,2002:bool"
    /// `!!null`.
    case null = "tag:yaml.org,2002:null"
  }

  /// A member of a map.
  package struct Entry: Sendable {
    /// The key as text, whatever type it would have as a value.
    package var key: String
    /// The key's location.
    package var keyLocation: SourceLocation
    /// The value.
    package var value: YAMLNode
  }

  /// The content.
  package var content: Content
  /// The location: only the first line of a value on several lines.
  package var location: SourceLocation
}

extension YAMLNode {
  /// The typed value of a scalar; nil for a collection.
  var scalarValue: CoreSchema.Value? {
    guard case .scalar(let scalar) = content else { return nil }
    return CoreSchema.value(of: scalar)
  }

  /// Whether this is `null`, written or left out.
  package var isNull: Bool {
    guard case .null? = scalarValue else { return false }
    return true
  }

  /// The kind of value, as messages call it.
  var kindName: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a map"
    case .invalid: "nothing usable"
    case .scalar(let scalar):
      switch CoreSchema.value(of: scalar) {
      case .null: scalar.text.isEmpty ? "empty" : "null"
      case .bool(let value): "the boolean \(value)"
      case .integer, .float, .notFinite: "the number \(scalar.text.prefix(40))"
      case .string: "text"
      }
    }
  }
}
