/// The way to Graph: sends one HTTP request and brings its answer back.
///
/// This is the world's edge: tests put a script in its place.
public protocol Transport: Sendable {
  /// Sends a request once, and follows no redirect.
  ///
  /// The time is for everything, from connecting to the last byte of the answer. Any HTTP answer is
  /// an answer; failing to get a whole one is a `TransportFailure`.
  func send(
    _ request: WireRequest,
    timeout: Duration
  ) async throws(TransportFailure)
    -> WireResponse
}
