import GraphAPI

/// A time by Graph's clock, not before the earliest and not after the latest.
package struct ServerTime: Hashable, Sendable {
  package var earliest: Timestamp
  package var latest: Timestamp
}

/// Graph's clock, estimated from the `Date` of its answers.
///
/// This machine's clock may be wrong by years and may step, so it is not used. Graph dates an answer
/// between the start and the end of its call. Both are measured on the run's monotonic clock. So
/// each `Date` bounds the difference between Graph's clock and the run's from both sides, and the
/// bounds of several answers are combined.
struct ServerClock: Sendable {
  /// How far the clocks of two Graph servers may differ: the one that answers, and the one that
  /// dates a post.
  static let tolerance = Duration.seconds(5)
  /// `Date` has whole seconds.
  private static let resolution = Duration.milliseconds(999)

  /// The bounds of Graph's time minus the run's time; nil before the first `Date`.
  private var offset: (least: Timestamp, most: Timestamp)?
  /// How often two answers contradicted each other by more than the tolerance: the clock was set in
  /// between.
  private(set) var steps = 0

  /// Narrows the estimate by the `Date` of an answer.
  mutating func record(_ date: HTTPDate, startedAt: Duration, endedAt: Duration) {
    let time = Timestamp(milliseconds: date.seconds * 1000)
    let least = time.advanced(by: .zero - endedAt)
    let most = time.advanced(by: Self.resolution - startedAt)
    guard let known = offset else {
      offset = (least, most)
      return
    }
    if least <= known.most, known.least <= most {
      offset = (max(least, known.least), min(most, known.most))
      return
    }
    let margin = Self.tolerance
    if least > known.most.advanced(by: margin) || most.advanced(by: margin) < known.least {
      steps += 1
    }
    // Both may be right; the next answer narrows the bounds again.
    offset = (min(least, known.least), max(most, known.most))
  }

  /// The time on Graph's clock at a time of the run; nil before the first `Date`.
  func time(at now: Duration) -> ServerTime? {
    offset.map { offset in
      ServerTime(
        earliest: offset.least.advanced(by: now - Self.tolerance),
        latest: offset.most.advanced(by: now + Self.tolerance))
    }
  }

  /// How far Graph's clock is ahead of one that showed `start` when the run's clock was at zero.
  ///
  /// - Returns: nil until it is known to a few seconds.
  func lead(over start: Timestamp) -> Duration? {
    guard let offset else { return nil }
    let (least, most) = (offset.least.milliseconds, offset.most.milliseconds)
    guard most - least <= 4000 else { return nil }
    return .milliseconds(least + (most - least) / 2 - start.milliseconds)
  }
}
