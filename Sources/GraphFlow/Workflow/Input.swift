internal import GraphAPI
package import JSONPath

/// The type of an input's value.
package enum InputType: String, Hashable, Sendable, CaseIterable {
  /// Text.
  case string
  /// A whole number.
  case integer
  /// Any number.
  case number
  /// `true` or `false`.
  case boolean
  /// A list.
  case list
  /// A path inside the workflow's folder.
  case file
  /// Text that appears in no output.
  case secret
}

/// A value that a run receives from outside.
package struct Input: Sendable {
  /// What a value must satisfy besides its type.
  package struct Constraints: Sendable {
    /// A pattern that the whole text must match (RFC 9485).
    package var pattern: IRegexp?
    /// The least number of characters (Unicode scalars).
    package var minLength: Int?
    /// The greatest number of characters.
    package var maxLength: Int?
    /// The allowed values.
    package var allowed: [JSON]?
    /// The least number.
    package var minimum: JSON.Number?
    /// The greatest number.
    package var maximum: JSON.Number?
    /// The type of a list's elements.
    package var items: InputType?
    /// The least number of elements.
    package var minItems: Int?
    /// The greatest number of elements.
    package var maxItems: Int?

    /// No constraints.
    package init() {}
  }

  /// The name.
  package let name: InputName
  /// The type.
  package let type: InputType
  /// The author's description.
  package let description: String?
  /// The value that is used if none is given.
  package let defaultValue: JSON?
  /// What else a value must satisfy.
  package let constraints: Constraints
  /// The place of its name.
  package let location: SourceLocation

  /// Whether its value is a secret: by its type, or by a name that tokens have.
  package var isSecret: Bool { type == .secret || Redaction.isSecretName(name.text) }

  /// Whether a run needs a value for it.
  package var isRequired: Bool { defaultValue == nil }
}
