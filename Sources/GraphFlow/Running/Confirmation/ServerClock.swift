import GraphAPI

/// A moment by Graph's clock, as far as it is known.
package struct ServerTime: Hashable, Sendable {
  /// It was not before this.
  package var earliest: Timestamp
  /// It was not after this.
  package var latest: Timestamp
}

/// What Graph's clock shows, known from the `Date` of its answers.
///
/// The clock of this machine is never asked, which may be wrong by years and may step. An answer was
/// made between the start and the end of its call, which are measured on the clock of the run that
/// never steps; so each `Date` bounds the difference between Graph's clock and the run's from both
/// sides, and the bounds of several answers hold together.
struct ServerClock: Sendable {
  /// How far the clocks of Graph's servers may differ from each other: the one that answers, and the
  /// one that dates a post.
  static let tolerance = Duration.seconds(5)
  /// `Date` has whole seconds.
  private static let resolution = Duration.milliseconds(999)

  /// The bounds of Graph's time less the run's; nil before the first `Date`.
  private var offset: (least: Timestamp, most: Timestamp)?
  /// How often two answers contradicted each other by more than the tolerance: the clock was set in
  /// between.
  private(set) var steps = 0

  /// Takes in the `Date` of an answer.
  ///
  /// - Parameters:
  ///   - date: what the answer says.
  ///   - startedAt: when its call was started, on the clock of the run.
  ///   - endedAt: when it was read.
  mutating func note(_ date: HTTPDate, startedAt: Duration, endedAt: Duration) {
    let moment = Timestamp(milliseconds: date.seconds * 1000)
    let least = moment.advanced(by: .zero - endedAt)
    let most = moment.advanced(by: Self.resolution - startedAt)
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
    // Both may be right; the next answer narrows it again.
    offset = (min(least, known.least), max(most, known.most))
  }

  /// What the clock shows at a time of the run; nil as long as no answer had a `Date`.
  func time(at now: Duration) -> ServerTime? {
    offset.map { offset in
      ServerTime(
        earliest: offset.least.advanced(by: now - Self.tolerance),
        latest: offset.most.advanced(by: now + Self.tolerance)
      )
    }
  }

  /// How far Graph's clock is ahead of another clock.
  ///
  /// - Parameter start: what the other clock showed when the run's clock showed zero.
  /// - Returns: nil as long as it is not known to a few seconds.
  func lead(over start: Timestamp) -> Duration? {
    guard let offset else { return nil }
    let (least, most) = (offset.least.milliseconds, offset.most.milliseconds)
    guard most - least <= 4000 else { return nil }
    return .milliseconds(least + (most - least) / 2 - start.milliseconds)
  }
}
