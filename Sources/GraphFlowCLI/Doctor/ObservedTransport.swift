import GraphAPI
import GraphFlow
import Synchronization

/// A transport that keeps the headers and times of the answers, and the first failure.
///
/// A class, because the clients that send through it are values.
final class ObservedTransport: Transport {
  struct Answer: Sendable {
    let headers: [HeaderField]
    /// From connecting to the last byte.
    let time: Duration
    /// This machine's clock in the middle of the exchange, in milliseconds since 1970.
    let clock: Int64
  }

  private let base: any Transport
  private let state = Mutex<(answers: [Answer], failure: TransportFailure?)>(([], nil))

  init(_ base: any Transport) { self.base = base }

  var answers: [Answer] { state.withLock(\.answers) }
  /// Why there was no answer to a request.
  var failure: TransportFailure? { state.withLock(\.failure) }

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    let (start, clock) = (ContinuousClock.now, WallClock.now())
    do throws(TransportFailure) {
      let response = try await base.send(request, timeout: timeout)
      let middle = (clock.milliseconds + WallClock.now().milliseconds) / 2
      let answer = Answer(headers: response.headers, time: start.duration(to: .now), clock: middle)
      state.withLock { $0.answers.append(answer) }
      return response
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }
}
