/// What all credentials have in common.
enum Secret {
  /// What is printed in place of a secret.
  static let mask = "***"

  /// Whether a text can be a credential: not empty, no white space, no control characters.
  ///
  /// A line break in a token would otherwise reach a header.
  static func isPlausible(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      }
  }
}
