/// A text with placeholders.
package struct Template: Hashable, Sendable {
  /// A part of a template.
  package enum Part: Hashable, Sendable {
    /// Literal text, in which `{{` has become `{`.
    case text(String)
    case placeholder(Placeholder)
  }

  /// The parts, in order; texts are not empty and never adjacent.
  package let parts: [Part]
  package let text: String
  package let location: SourceLocation

  /// The text of a template without placeholders; else nil.
  package var literal: String? {
    switch (parts.first, parts.count) {
    case (nil, _): ""
    case (.text(let text), 1): text
    default: nil
    }
  }

  /// The placeholder that is the whole template, so that its value may keep its type.
  package var only: Placeholder? {
    guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
    return placeholder
  }

  /// The text with something in place of each placeholder.
  func text(placeholder: String) -> String {
    parts.map { part in
      guard case .text(let text) = part else { return placeholder }
      return text
    }.joined()
  }

  package var placeholders: [Placeholder] {
    parts.compactMap { part in
      guard case .placeholder(let placeholder) = part else { return nil }
      return placeholder
    }
  }
}
