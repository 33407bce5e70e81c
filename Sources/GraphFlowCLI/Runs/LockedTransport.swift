import GraphAPI
import GraphFlow

/// Sends nothing once another process may have taken over the run.
///
/// The journal checks the lease before each call. A process that is stopped right after that, for longer
/// than the lease, must not send when it continues.
struct LockedTransport: Transport {
  let transport: any Transport
  let store: any StateStore

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    guard store.holdsLocks else {
      throw TransportFailure(
        kind: .notSent, message: "another process may have taken over the run meanwhile")
    }
    return try await transport.send(request, timeout: timeout)
  }
}
