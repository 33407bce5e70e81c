/// A value together with its location in the query argument (RFC 9535 §1.1).
public struct Node: Hashable, Sendable {
  /// The location of the value.
  public let location: NormalizedPath
  /// The value.
  public let value: JSON
}
