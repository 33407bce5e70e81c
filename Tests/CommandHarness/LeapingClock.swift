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

  private let time = Mutex(Instant(offset: .zero))

  package init() {}

  package var now: Instant { time.withLock(\.self) }
  package var minimumResolution: Duration { .milliseconds(1) }

  /// Advances the clock, as if something had taken this long.
  package func pass(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}
