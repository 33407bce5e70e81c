/// Common properties of credentials.
enum Secret {
  /// The replacement of a secret in output.
  static let mask = "***"

  /// Whether a text can be a credential: not empty, no whitespace, no control characters.
  ///
  /// Otherwise a line break in a token could reach a header.
  static func isPlausible(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      }
  }
}
