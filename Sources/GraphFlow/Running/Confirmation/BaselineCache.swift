import GraphAPI

/// The baselines of a run: which were read, and which have to be read before the next round is sent.
///
/// All writes share one whose checks ask for the same with the same token.
struct BaselineCache: Sendable {
  /// What a check asks for, and with what.
  struct Check: Hashable, Sendable {
    let bound: BoundRequest
    /// The profile whose token is used if the check has none of its own.
    let profile: String
  }

  /// A baseline, and when it was last used.
  private struct Entry: Sendable {
    let baseline: Baseline
    /// How often Graph's clock had been seen to be set when it was read.
    let clockSteps: Int
    var lastUse: Int
  }

  /// A check that is being read.
  struct Reading: Sendable {
    let check: Check
    /// How long the most patient write waits for it.
    var timeout: Duration
    var pages = BaselineReading()
    var tries = 0
    /// When it may be asked for next.
    var due: Duration
  }

  /// How many are kept for writes to come; those that were not used for longest go first.
  private static let limit = 2000
  /// How often a check is asked for that fails for a moment.
  private static let maxTries = 3
  /// How long a round waits for a check that the server wants to be asked for later.
  private static let longestDelay = Duration.seconds(60)

  private var entries: [Check: Entry] = [:]
  /// Why a check cannot be read; whether it never will be.
  private var failures: [Check: (sentence: String, isFinal: Bool)] = [:]
  /// What is still to be read, in order.
  private(set) var readings: ArraySlice<Reading> = []
  /// The checks that are the same for all items, by request.
  private var fixedChecks: [Int: Check] = [:]
  /// What has to be read for this round.
  private var wanted: Set<Check> = []
  private var uses = 0
  /// The number of the last baseline.
  private var count = 0

  /// The baseline of a check; nil if there is none, or if Graph's clock was set since it was read.
  mutating func baseline(of check: Check, by clock: ServerClock) -> Baseline? {
    guard entries[check]?.clockSteps == clock.steps else { return nil }
    uses += 1
    entries[check]?.lastUse = uses
    return entries[check]?.baseline
  }

  /// What a request's check asks for, whatever the item; nil if that differs, or is not known yet.
  func fixedCheck(of request: Int) -> Check? { fixedChecks[request] }

  /// Keeps what a request's check asks for, whatever the item.
  mutating func keep(_ check: Check, of request: Int) { fixedChecks[request] = check }

  /// Why a check could not be read.
  func failure(of check: Check) -> String? { failures[check]?.sentence }

  /// Makes room for the checks of another round.
  mutating func begin() {
    failures = failures.filter { $0.value.isFinal }
    wanted = []
    guard entries.count > Self.limit else { return }
    let kept = entries.sorted { $0.value.lastUse > $1.value.lastUse }.prefix(Self.limit / 2)
    entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }

  /// Has a check read, unless it was, will be or cannot be.
  mutating func want(
    _ check: Check,
    timeout: Duration,
    at now: Duration,
    by clock: ServerClock
  ) {
    guard entries[check]?.clockSteps != clock.steps, failures[check] == nil,
      wanted.insert(check).inserted
    else { return }
    readings.append(Reading(check: check, timeout: timeout, due: now))
  }

  /// Takes the next reading that is due, if there is one.
  mutating func takeReady(at now: Duration) -> Reading? {
    guard let index = readings.firstIndex(where: { $0.due <= now }) else { return nil }
    return readings.remove(at: index)
  }

  /// Puts a reading back that could not be asked for.
  mutating func put(back reading: Reading) { readings.append(reading) }

  /// When the next check may be read; nil if none has to be.
  var nextTime: Duration? { readings.map(\.due).min() }

  /// Has the next page of a reading asked for.
  mutating func turnPage(_ reading: Reading, at now: Duration) {
    var reading = reading
    reading.due = now
    readings.append(reading)
  }

  /// Reads nothing more.
  mutating func giveUp() { readings = [] }

  /// Notes what a check shows.
  ///
  /// - Returns: the same, with a number of its own.
  mutating func note(_ baseline: Baseline, of check: Check, by clock: ServerClock) -> Baseline {
    count += 1
    uses += 1
    var baseline = baseline
    baseline.number = count
    entries[check] = Entry(baseline: baseline, clockSteps: clock.steps, lastUse: uses)
    return baseline
  }

  /// Notes that numbers up to one are taken.
  mutating func skip(to number: Int) { count = max(count, number) }

  /// Tries once more what failed for a moment; what fails for good keeps no write back.
  ///
  /// - Parameters:
  ///   - reading: what failed.
  ///   - failure: how.
  ///   - delay: how long the server wants to be left alone.
  ///   - now: the time since the run's start.
  mutating func fail(
    _ reading: Reading,
    _ failure: Failure,
    atLeast delay: Duration?,
    at now: Duration
  ) {
    let isPassing = failure.category == .transient
    guard isPassing, reading.tries + 1 < Self.maxTries else {
      let isFinal = !isPassing && TokenTrouble(failure) == nil
      failures[reading.check] = (failure.error.message, isFinal)
      return
    }
    var reading = reading
    reading.tries += 1
    reading.pages = BaselineReading()
    // How long a throttle lasts is known better elsewhere.
    let delay = failure.reason == .throttled ? .zero : min(delay ?? .zero, Self.longestDelay)
    reading.due = now + max(.seconds(1 << (reading.tries - 1)), delay)
    readings.append(reading)
  }
}
