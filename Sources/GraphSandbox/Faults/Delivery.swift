/// How an answer goes over the wire.
enum Delivery: Hashable, Sendable {
  /// At once, and all of it.
  case whole
  /// Not at all: the connection is closed.
  case dropped
  /// So many bytes of the body; then the connection is closed.
  case cut(after: Int)
  /// With a length that is not the body's; then the connection is closed.
  case wrongLength(by: Int)
  /// After some time.
  case delayed(Duration)
  /// In pieces of so many bytes, with a pause before each.
  case dripping(bytes: Int, pause: Duration)
  /// With blanks behind it, up to so many bytes.
  case padded(to: Int)
}
