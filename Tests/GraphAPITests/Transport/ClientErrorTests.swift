import AsyncHTTPClient
import Testing

@testable import GraphAPI

/// What an error of the HTTP client means for the request.
struct ClientErrorTests {
  /// The client cancels a request by itself when it meets a connection that the server is closing.
  @Test func `only the caller cancels a call`() {
    func failure(wasSent: Bool, isCancelled: Bool) -> TransportFailure {
      TransportFailure(HTTPClientError.cancelled, wasSent: wasSent, isCancelled: isCancelled)
    }

    #expect(failure(wasSent: false, isCancelled: false).kind == .notSent)
    #expect(failure(wasSent: true, isCancelled: false).kind == .connectionLost)
    #expect(failure(wasSent: false, isCancelled: true).kind == .cancelled)
    #expect(failure(wasSent: true, isCancelled: true).kind == .cancelled)
    #expect(failure(wasSent: false, isCancelled: true).provesNothingHappened)
    #expect(!failure(wasSent: true, isCancelled: true).provesNothingHappened)
  }
}
