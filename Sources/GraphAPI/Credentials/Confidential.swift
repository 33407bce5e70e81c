/// A type whose textual forms show no secrets: each of them is the description.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Confidential {
  /// Three stars, unless the type has a description of its own.
  public var description: String { Secret.mask }
  /// The description.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Common properties of credentials.
enum Secret {
  static let mask = "***"

  /// Whether a text can be a credential: not empty, no whitespace, no control characters.
  ///
  /// Otherwise a line break in a token could reach a header.
  static func isPlausible(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        // Real tokens are ASCII, and Unicode's tables are slow.
        scalar.isASCII
          ? ("!"..."~").contains(scalar)
          : !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      }
  }
}
