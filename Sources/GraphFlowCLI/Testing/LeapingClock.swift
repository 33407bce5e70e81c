import GraphAPI
import GraphFlow
import Synchronization

/// A clock that stops while work is done and jumps to the deadline when a task sleeps.
///
/// Everything that shares the clock advances together: a run waits for hours in no time, and the
/// sandbox's rolling windows advance with it.
package final class LeapingClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time: Mutex<Instant>

  /// Starts a clock; its offsets are times since 1970 if it starts at such a time.
  package init(at start: Duration = .zero) { time = Mutex(Instant(offset: start)) }

  package var now: Instant { time.withLock(\.self) }
  package var minimumResolution: Duration { .milliseconds(1) }

  /// Advances the clock, as if something had taken this long.
  package func pass(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}

extension LeapingClock {
  /// Whole seconds since 1970.
  var seconds: Int { Int(now.offset / .seconds(1)) }

  /// The time of runs by this clock: the same run at the same time takes the same course.
  var runTime: RunTime {
    RunTime(
      clock: RunClock(leaping: self),
      now: { Timestamp(milliseconds: self.now.offset.milliseconds) },
      generator: { SplitMix64(seed: UInt64(bitPattern: $0.milliseconds)) },
      over: { LeapingTransport(base: $0, clock: self) })
  }
}

/// Calls that take a tenth of a second by a virtual clock, and as long as faults delay them by it.
private struct LeapingTransport: Transport {
  let base: any Transport
  let clock: LeapingClock

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    let start = clock.now
    defer { clock.pass(.milliseconds(100)) }
    let response = try await base.send(request, timeout: timeout)
    guard start.duration(to: clock.now) <= timeout else {
      throw TransportFailure(kind: .timedOut, message: "no complete answer in time")
    }
    return response
  }
}
