/// A JSONPath query (RFC 9535) that is well-formed and valid.
///
/// ```swift
/// let query = try Query("$.data[?@.likes > 10].id")
/// let ids = try query.values(in: JSON(parsing: answer))
/// ```
public struct Query: TextIdentified, Sendable {
  /// The source text of the query.
  public let text: String
  /// The segments after the root identifier `$`.
  package let segments: [Segment]
  /// The names of a query such as `$.user.id`, which consists of a few names only.
  ///
  /// It needs so few steps that they are not counted.
  package let names: [String]?

  /// More steps than such a query can need.
  static let nameStepLimit = 1000
  /// The longest query or expression that is accepted, in bytes of UTF-8.
  package static let textLimit = 65_536

  /// Parses a query.
  ///
  /// - Parameter text: The whole query, starting with `$`, without surrounding whitespace; at most
  ///   64 KiB.
  /// - Throws: The first error: invalid grammar, a function with arguments of the wrong type
  ///   (RFC 9535 §2.4.3), or an integer outside I-JSON's exact range (§2.1).
  public init(_ text: String) throws(Query.SyntaxError) { self = try QueryParser.query(text) }

  /// Makes a query from parts that a parser has checked.
  init(text: String, segments: [Segment]) {
    self.text = text
    self.segments = segments
    let names = segments.compactMap(\.onlyName)
    self.names = names.count == segments.count && names.count <= 8 ? names : nil
  }

  /// Whether the query selects at most one node (RFC 9535 §2.3.5.1: a singular query).
  public var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// Whether the query is meant to select several nodes: by a wildcard, a slice, `..` or a list of
  /// selectors.
  ///
  /// A filter alone does not count, as it may be meant to find one node.
  package var selectsSeveral: Bool { segments.contains(where: \.selectsSeveral) }
}
