/// What a run counts while it goes.
struct RunTally: Hashable, Sendable {
  /// The number of the last round.
  var round = 0
  /// The number of the last HTTP call.
  var calls = 0
  /// Calls that carried nothing but second and later attempts.
  var retryCalls = 0
  /// The other batch and single calls.
  var firstCalls = 0
  /// The time spent waiting with nothing under way.
  private(set) var waited = Duration.zero
  /// When the wait began that is not counted yet.
  private var waitingSince: Duration?
  /// How many instances of each request were sent at least once.
  var sentInstances: [Int]
  /// Whether Graph ever answered anything.
  var wasReached = false
  /// What the outcomes so far mean.
  var verdict = RunVerdict()
  /// Unsafe writes under way.
  var unsafeWrites = 0

  init(requestCount: Int) {
    sentInstances = Array(repeating: 0, count: requestCount)
  }

  /// Notes that nothing is under way from now on.
  mutating func beginWait(at now: Duration) { waitingSince = now }

  /// Counts the wait that is over now, if there was one.
  mutating func endWait(at now: Duration) {
    if let waitingSince { waited += now - waitingSince }
    waitingSince = nil
  }

  /// Whether one more call may be made for retries.
  ///
  /// Over a whole run they stay under a tenth of the others plus ten, so that an outage is not made
  /// worse (Google SRE book, "Handling overload").
  var allowsRetry: Bool { retryCalls < firstCalls / 10 + 10 }
}
