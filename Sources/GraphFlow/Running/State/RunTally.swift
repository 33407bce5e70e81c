/// The counters of a run.
struct RunTally: Hashable, Sendable {
  /// The number of the last round.
  var round = 0
  /// The number of the last HTTP call.
  var calls = 0
  /// The number of calls that carried only second and later attempts.
  var retryCalls = 0
  /// The number of the other batch and single calls.
  var firstCalls = 0
  /// The time spent waiting without a call under way.
  private(set) var waited = Duration.zero
  /// When the current wait began.
  private var waitingSince: Duration?
  /// For each request the number of its instances that were sent at least once.
  var sentInstances: [Int]
  /// Whether Graph ever answered anything.
  var wasReached = false
  /// The verdict of the outcomes so far.
  var verdict = RunVerdict()
  /// The number of unsafe writes under way.
  var unsafeWrites = 0

  init(requestCount: Int) { sentInstances = Array(repeating: 0, count: requestCount) }

  /// Starts a wait without a call under way.
  mutating func beginWait(at now: Duration) { waitingSince = now }

  /// Ends and counts the current wait, if there is one.
  mutating func endWait(at now: Duration) {
    if let waitingSince { waited += now - waitingSince }
    waitingSince = nil
  }

  /// Whether one more call may be made for retries.
  ///
  /// A run makes at most 10 such calls plus a tenth of the others, so that its retries do not
  /// worsen an outage (Google SRE book, "Handling Overload").
  var allowsRetry: Bool { retryCalls < firstCalls / 10 + 10 }
}
