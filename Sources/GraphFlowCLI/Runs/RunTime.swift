import GraphAPI
import GraphFlow

/// By which clock runs wait, what they record as the time, and where chance comes from.
struct RunTime: Sendable {
  var clock = RunClock()
  var now: @Sendable () -> Timestamp = { WallClock.now() }
  /// The source of a run's id and of its jitter, for a run that starts at a time.
  var generator: @Sendable (Timestamp) -> any RandomNumberGenerator = { _ in
    SystemRandomNumberGenerator()
  }
  /// Makes calls take their time by the clock.
  var over: @Sendable (any Transport) -> any Transport = { $0 }
}

/// The machine's monotonic clock, or a virtual one.
struct RunClock: Clock {
  var leaping: LeapingClock?
  private let origin = ContinuousClock.now

  var now: LeapingClock.Instant { leaping?.now ?? .init(offset: origin.duration(to: .now)) }
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: LeapingClock.Instant, tolerance: Duration?) async throws {
    if let leaping { return try await leaping.sleep(until: deadline, tolerance: tolerance) }
    try await ContinuousClock().sleep(until: origin + deadline.offset, tolerance: tolerance)
  }
}
