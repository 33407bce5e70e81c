/// What is the same where it is written the same, scalar by scalar.
package protocol Written: Hashable, CustomStringConvertible {
  /// The text as it was written.
  var text: String { get }
}

extension Written {
  /// Compares the texts.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameScalars(as: right.text)
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(ScalarString(text)) }

  /// The text as it was written.
  public var description: String { text }
}
