import Synchronization

/// A clock that stands still while anything is done, and is there at once when somebody sleeps.
///
/// Two that go at the same pace read the same one: a run waits for hours of it in no time, and the
/// sandbox's rolling windows roll on with it.
final class LeapingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time = Mutex(Instant(offset: .zero))

  var now: Instant { time.withLock(\.self) }
  var minimumResolution: Duration { .milliseconds(1) }

  /// Lets something take a while.
  func pass(_ duration: Duration) {
    time.withLock { $0 = $0.advanced(by: duration) }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}
