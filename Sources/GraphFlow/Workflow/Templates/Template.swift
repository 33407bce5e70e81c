/// A text with holes.
public struct Template: Hashable, Sendable {
  /// A stretch of a template.
  public enum Part: Hashable, Sendable {
    /// Text that is taken as it is; `{{` has become `{`.
    case text(String)
    /// A hole.
    indirect case placeholder(Placeholder)
  }

  /// The stretches, in order; texts are not empty and never follow one another.
  public let parts: [Part]
  /// The template as written.
  public let text: String
  /// Where it stands.
  public let location: SourceLocation

  /// The text of a template without holes.
  public var literal: String? {
    switch (parts.first, parts.count) {
    case (nil, _): ""
    case (.text(let text), 1): text
    default: nil
    }
  }

  /// The hole that is the whole template, so that its value may keep its type.
  public var only: Placeholder? {
    guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
    return placeholder
  }

  /// The holes, in order.
  public var placeholders: [Placeholder] {
    parts.compactMap { part in
      guard case .placeholder(let placeholder) = part else { return nil }
      return placeholder
    }
  }
}
