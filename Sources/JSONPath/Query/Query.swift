/// A JSONPath query as RFC 9535 defines it, checked: well-formed and valid.
///
/// ```swift
/// let query = try Query("$.data[?@.likes > 10].id")
/// let ids = try query.values(in: JSON(parsing: answer))
/// ```
public struct Query: Written, Sendable {
  /// The query as it was written.
  public let text: String

  /// What follows the root identifier.
  package let segments: [Segment]

  /// The names of a query that has nothing but a few, such as `$.user.id`: it takes so few steps
  /// that they need not be counted.
  package let names: [String]?

  /// More steps than such a query can take.
  static let stepsOfNames = 1000

  /// The longest query or expression that is read, in bytes of UTF-8.
  package static let textLimit = 65_536

  /// Reads a query.
  ///
  /// - Parameter text: The whole query, from `$` on, without whitespace around it.
  /// - Throws: The first fault: against the grammar, against the types of functions
  ///   (RFC 9535 §2.4.3), or an integer outside I-JSON's exact range (§2.1).
  public init(_ text: String) throws(Query.SyntaxError) {
    self = try QueryParser.query(text)
  }

  /// Makes a query from its parts, which a parser has checked.
  init(text: String, segments: [Segment]) {
    self.text = text
    self.segments = segments
    let names = segments.compactMap(\.onlyName)
    self.names = names.count == segments.count && names.count <= 8 ? names : nil
  }

  /// Whether it can never select more than one node (RFC 9535 §2.3.5.1: a singular query).
  public var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// Whether it is written to select several nodes, by a wildcard, a slice, `..` or many selectors.
  ///
  /// A query is not whose filters may match several nodes.
  package var selectsSeveral: Bool { segments.contains(where: \.selectsSeveral) }
}
