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

extension InputType {
  /// The value of a text: a string, or parsed as JSON; nil if it is not JSON.
  func value(of text: String) -> JSON? {
    switch self {
    case .string, .secret, .file, .timezone: .string(text)
    case .integer, .number, .boolean, .list: try? JSON(parsing: text)
    }
  }

  /// What is wrong with the type of a value, as a predicate; nil if it fits.
  func fault(of value: JSON) -> String? {
    switch (self, value) {
    case (.string, .string), (.secret, .string), (.file, .string), (.number, .number),
      (.boolean, .bool), (.list, .array):
      nil
    case (.integer, .number(let number)) where Self.isWhole(number): nil
    case (.timezone, .string(let name)) where ZoneClock.isKnown(name): nil
    case (.string, _), (.secret, _): "is not text"
    case (.file, _): "is not a path"
    case (.timezone, _): "is not a name of a time zone, such as Europe/Berlin"
    case (.integer, _): "is not a whole number"
    case (.number, _): "is not a number"
    case (.boolean, _): "is not true or false"
    case (.list, _): "is not a list"
    }
  }

  /// Whether a number has no fraction, however large it is.
  private static func isWhole(_ number: JSON.Number) -> Bool {
    number.integer != nil || number.lexeme.utf8.allSatisfy { !".eE".utf8.contains($0) }
  }
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
  /// Whether runs with different values of it may be active at the same time: `overlap_key`.
  package internal(set) var separatesRuns = false
  /// Whether its value is a secret: by its type, or by a name that tokens have.
  package var isSecret: Bool { type == .secret || Redaction.isSecretName(name.text) }
  package var isRequired: Bool { defaultValue == nil }
}
