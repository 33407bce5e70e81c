import GraphAPI

/// A write that may have happened, as long as it is looked for.
struct Doubt: Hashable, Sendable {
  /// What it waits for.
  enum Step: Hashable, Sendable {
    /// For the time of the next look.
    case due(at: Duration)
    /// For the answer to a look.
    case underWay(since: Duration)
  }

  /// The pages of a look that does not reach back far enough yet.
  struct Pages: Hashable, Sendable {
    var collection: PageCollection
    var count: Int
    /// When the first of them was asked for.
    let since: Duration
  }

  /// Why its last attempt proves nothing.
  let failure: Failure
  /// The last attempt's HTTP status, if it had one.
  let code: Int?
  /// When the looking began.
  let since: Duration
  /// Before this time it must not be sent again: the server's own word.
  let resendNotBefore: Duration
  /// How many looks were answered, whatever the answer.
  var looks = 0
  var pages: Pages?
  var step: Step

  /// How many pages a look follows; an edge that is busier than that is asked in vain.
  static let pageLimit = 20

  /// When the next look is due after one that proved nothing; nil if that was the last.
  ///
  /// The pause doubles from one second, and the last look is not made before reads must have caught
  /// up with writes.
  ///
  /// - Parameters:
  ///   - startedAt: when the look was made.
  ///   - endedAt: when it was answered.
  ///   - within: how long reads may lag behind writes.
  ///   - delay: how long the server wants to be left alone.
  /// - Returns: a time that is not before `endedAt`.
  func nextLook(
    startedAt: Duration,
    endedAt: Duration,
    within: Duration,
    atLeast delay: Duration?
  ) -> Duration? {
    let end = since + within
    guard startedAt < end else { return nil }
    let pause = Duration.seconds(1 << min(max(looks - 1, 0), 10))
    return max(min(endedAt + pause, end), endedAt + (delay ?? .zero))
  }
}
