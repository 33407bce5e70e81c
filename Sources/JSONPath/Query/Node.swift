/// A value together with its place in the query argument (RFC 9535 §1.1).
public struct Node: Hashable, Sendable {
  /// Where the value is.
  public let location: NormalizedPath
  /// The value.
  public let value: JSON
}
