/// A text with holes.
package struct Template: Hashable, Sendable {
  /// A stretch of a template.
  package enum Part: Hashable, Sendable {
    /// Text that is taken as it is; `{{` has become `{`.
    case text(String)
    /// A hole.
    indirect case placeholder(Placeholder)
  }

  /// The stretches, in order; texts are not empty and never follow one another.
  package let parts: [Part]
  /// The template as written.
  package let text: String
  /// Where it stands.
  package let location: SourceLocation

  /// The text of a template without holes.
  package var literal: String? {
    switch (parts.first, parts.count) {
    case (nil, _): ""
    case (.text(let text), 1): text
    default: nil
    }
  }

  /// The hole that is the whole template, so that its value may keep its type.
  package var only: Placeholder? {
    guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
    return placeholder
  }

  /// The holes, in order.
  package var placeholders: [Placeholder] {
    parts.compactMap { part in
      guard case .placeholder(let placeholder) = part else { return nil }
      return placeholder
    }
  }
}
