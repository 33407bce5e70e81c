/// The one canonical query that selects a node (RFC 9535 §2.7), such as `$['data'][0]['id']`.
public struct NormalizedPath: Hashable, Sendable {
  /// One step down.
  public enum Element: Sendable {
    /// To a member.
    case name(String)
    /// To an element; never negative.
    case index(Int)
  }

  /// The steps from the root.
  public let elements: [Element]

  /// Makes a path from its steps.
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
  /// The path as a query.
  public var description: String { elements.reduce(into: "$") { $0 += $1.description } }
}

extension NormalizedPath.Element: CustomStringConvertible {
  /// The step in brackets.
  public var description: String {
    switch self {
    case .index(let index): return "[\(index)]"
    case .name(let name):
      var text = "['"
      for scalar in name.unicodeScalars { text += Self.escaped(scalar) }
      return text + "']"
    }
  }

  /// A scalar as `normal-single-quoted` wants it.
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
