/// Sends HTTP requests to Graph and returns the answers.
///
/// `HTTPClientTransport` is the implementation over the network; tests use scripted ones.
public protocol Transport: Sendable {
  /// Sends a request once, and follows no redirect.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: The time for the whole exchange, from connecting to the last byte of the answer.
  /// - Returns: The answer, with any HTTP status.
  /// - Throws: `TransportFailure` if there is no complete HTTP answer.
  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse
}
