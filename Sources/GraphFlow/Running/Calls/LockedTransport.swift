package import GraphAPI

/// Sends nothing once another process may have taken over the run.
///
/// The journal checks the lease before each call. A process that is stopped right after that, for longer
/// than the lease, must not send when it continues.
package struct LockedTransport<Base: Transport>: Transport {
  private let base: Base
  private let isHeld: @Sendable () -> Bool

  /// Wraps a transport; `isHeld` is whether this process still has its locks.
  package init(_ base: Base, while isHeld: @escaping @Sendable () -> Bool) {
    self.base = base
    self.isHeld = isHeld
  }

  package func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    guard isHeld() else {
      throw TransportFailure(
        kind: .notSent, message: "another process may have taken over the run meanwhile")
    }
    return try await base.send(request, timeout: timeout)
  }
}
