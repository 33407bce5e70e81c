import AsyncHTTPClient
import Testing

@testable import GraphAPI

/// The failures that errors of the HTTP client become.
struct ClientErrorTests {
  /// The client itself cancels a request whose connection the server is closing.
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
