/// How the server sends an answer.
enum Delivery: Hashable, Sendable {
  /// At once and complete.
  case whole
  /// Not at all: the connection is closed.
  case dropped
  /// This many bytes of the body; then the connection is closed.
  case cut(after: Int)
  /// With a wrong length; then the connection is closed.
  case wrongLength(by: Int)
  /// After this time.
  case delayed(Duration)
  /// In pieces of this many bytes, with a pause before each.
  case dripping(bytes: Int, pause: Duration)
  /// Extended to this length with spaces.
  case padded(to: Int)
}
