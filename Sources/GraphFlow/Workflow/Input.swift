internal import GraphAPI
public import JSONPath

/// What an input's value may be.
public enum InputType: String, Hashable, Sendable, CaseIterable {
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

/// A value that a run is given from outside.
public struct Input: Sendable {
  /// What a value must fulfil beside its type.
  public struct Constraints: Sendable {
    /// A pattern that the whole text must match (RFC 9485).
    public var pattern: IRegexp?
    /// The least number of characters (Unicode scalars).
    public var minLength: Int?
    /// The greatest number of characters.
    public var maxLength: Int?
    /// The values that are allowed.
    public var allowed: [JSON]?
    /// The least number.
    public var minimum: JSON.Number?
    /// The greatest number.
    public var maximum: JSON.Number?
    /// The type of a list's elements.
    public var items: InputType?
    /// The least number of elements.
    public var minItems: Int?
    /// The greatest number of elements.
    public var maxItems: Int?

    /// No constraints.
    public init() {}
  }

  /// The name.
  public let name: InputName
  /// The type.
  public let type: InputType
  /// What it is for, in the author's words.
  public let description: String?
  /// The value that is taken if none is given.
  public let defaultValue: JSON?
  /// What else a value must fulfil.
  public let constraints: Constraints
  /// Where its name stands.
  public let location: SourceLocation

  /// Whether its value is a secret: it is declared as one, or called what tokens are called.
  package var isSecret: Bool { type == .secret || Redaction.isSecretName(name.text) }

  /// Whether a run cannot do without a value for it.
  public var isRequired: Bool { defaultValue == nil }
}
