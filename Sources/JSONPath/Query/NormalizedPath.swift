/// The canonical query that selects exactly one node (RFC 9535 §2.7), such as `$['data'][0]['id']`.
public struct NormalizedPath: Hashable, Sendable {
  /// One step from a value to one of its children.
  public enum Element: Sendable {
    /// The member with this name.
    case name(String)
    /// The element at this index, from 0; never negative.
    case index(Int)
  }

  /// The steps from the root.
  public let elements: [Element]

  package init(_ elements: [Element] = []) { self.elements = elements }
}

extension NormalizedPath.Element: Hashable {
  /// Compares names by their Unicode scalars.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.name(let left), .name(let right)): left.hasSameScalars(as: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .name(let name): hasher.combine(ScalarString(name))
    case .index(let index): hasher.combine(index)
    }
  }
}

extension NormalizedPath: CustomStringConvertible {
  /// The path as a JSONPath query.
  public var description: String { elements.reduce(into: "$") { $0 += $1.description } }
}

extension NormalizedPath.Element: CustomStringConvertible {
  /// The step as a bracketed selector: `['name']` or `[0]`.
  public var description: String {
    switch self {
    case .index(let index): return "[\(index)]"
    case .name(let name):
      var text = "['"
      for scalar in name.unicodeScalars { text += Self.escaped(scalar) }
      return text + "']"
    }
  }

  /// A scalar as the rule `normal-single-quoted` requires.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\u{8}": #"\b"#
    case "\t": #"\t"#
    case "\n": #"\n"#
    case "\u{c}": #"\f"#
    case "\r": #"\r"#
    case "'": #"\'"#
    case "\\": #"\\"#
    case "\u{0}"..<"\u{10}": #"\u000"# + String(scalar.value, radix: 16)
    case "\u{10}"..<"\u{20}": #"\u00"# + String(scalar.value, radix: 16)
    default: String(Character(scalar))
    }
  }
}
