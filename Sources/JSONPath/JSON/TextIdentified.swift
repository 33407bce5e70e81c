/// A value that is identified by its source text, compared by Unicode scalars.
package protocol TextIdentified: Hashable, CustomStringConvertible {
  var text: String { get }
}

extension TextIdentified {
  /// Compares the texts.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameScalars(as: right.text)
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(ScalarString(text)) }

  /// The source text.
  public var description: String { text }
}
