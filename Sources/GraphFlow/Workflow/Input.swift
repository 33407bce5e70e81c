internal import GraphAPI
package import JSONPath

/// The type of an input's value.
package enum InputType: String, Hashable, Sendable, CaseIterable {
  case string
  case integer
  case number
  case boolean
  case list
  /// A path inside the workflow's folder.
  case file
  /// Text that appears in no output.
  case secret
  /// A name of the IANA time zone database, for dates.
  case timezone
}

/// A value that a run receives from outside.
package struct Input: Sendable {
  /// What a value must satisfy besides its type.
  package struct Constraints: Sendable {
    /// A pattern that the whole text must match (RFC 9485).
    package var pattern: IRegexp?
    /// The least and greatest number of characters (Unicode scalars).
    package var minLength: Int?
    package var maxLength: Int?
    package var allowed: [JSON]?
    package var minimum: JSON.Number?
    package var maximum: JSON.Number?
    package var items: InputType?
    package var minItems: Int?
    package var maxItems: Int?
  }

  package let name: InputName
  package let type: InputType
  package let description: String?
  package let defaultValue: JSON?
  package let constraints: Constraints
  package let location: SourceLocation
  /// Whether its value is a secret: by its type, or by a name that tokens have.
  package var isSecret: Bool { type == .secret || Redaction.isSecretName(name.text) }
  package var isRequired: Bool { defaultValue == nil }
}
