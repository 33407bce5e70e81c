import GraphAPI

/// The baselines of a run: those that were read, and those to read before the next round is sent.
///
/// Writes share a baseline if their checks ask for the same with the same token.
struct BaselineCache: Sendable {
  /// What a check asks for, and with which token.
  struct Check: Hashable, Sendable {
    let bound: BoundRequest
    /// The profile whose token is used if the check has none of its own.
    let profile: String
  }

  /// A baseline, and when it was last used.
  private struct Entry: Sendable {
    let baseline: Baseline
    /// How many steps of Graph's clock were known when it was read.
    let clockSteps: Int
    var lastUse: Int
  }

  /// A check that is being read.
  struct Reading: Sendable {
    let check: Check
    /// The longest timeout of the writes that wait for it.
    var timeout: Duration
    var pages = BaselineReading()
    var attempts = 0
    /// When its next page may be requested.
    var readyAt: Duration
  }

  /// The maximum number of baselines; the least recently used go first.
  private static let limit = 2000
  private static let maxAttempts = 3
  /// The longest time that a round waits because the server asks for a delay.
  private static let longestDelay = Duration.seconds(60)

  private var entries: [Check: Entry] = [:]
  /// Why a check cannot be read, and whether that is final.
  private var failures: [Check: (sentence: String, isFinal: Bool)] = [:]
  /// The checks that are still to be read, in order.
  private(set) var readings: ArraySlice<Reading> = []
  /// The checks that are the same for all items, by request.
  var fixedChecks: [Int: Check] = [:]
  private var scheduled: Set<Check> = []
  private var useCount = 0
  private var lastNumber = 0

  /// The baseline of a check; nil if there is none, or if Graph's clock was set since it was read.
  mutating func baseline(of check: Check, by clock: ServerClock) -> Baseline? {
    guard entries[check]?.clockSteps == clock.steps else { return nil }
    useCount += 1
    entries[check]?.lastUse = useCount
    return entries[check]?.baseline
  }

  func failure(of check: Check) -> String? { failures[check]?.sentence }

  /// Starts a round: forgets transient failures, and the least recently used baselines.
  mutating func beginRound() {
    failures = failures.filter { $0.value.isFinal }
    scheduled = []
    guard entries.count > Self.limit else { return }
    let kept = entries.sorted { $0.value.lastUse > $1.value.lastUse }.prefix(Self.limit / 2)
    entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }

  /// Schedules the read of a check, unless it was read, is scheduled or cannot be read.
  mutating func schedule(_ check: Check, timeout: Duration, at now: Duration, by clock: ServerClock)
  {
    guard entries[check]?.clockSteps != clock.steps, failures[check] == nil,
      scheduled.insert(check).inserted
    else { return }
    readings.append(Reading(check: check, timeout: timeout, readyAt: now))
  }

  /// Removes and returns the next reading that is ready, if there is one.
  mutating func takeReady(at now: Duration) -> Reading? {
    guard let index = readings.firstIndex(where: { $0.readyAt <= now }) else { return nil }
    return readings.remove(at: index)
  }

  /// Puts back a reading that could not be started.
  mutating func putBack(_ reading: Reading) { readings.append(reading) }

  mutating func scheduleNextPage(of reading: Reading, at now: Duration) {
    var reading = reading
    reading.readyAt = now
    readings.append(reading)
  }

  /// When the next check may be read; nil if none is scheduled.
  var nextTime: Duration? { readings.map(\.readyAt).min() }

  mutating func cancelReadings() { readings = [] }

  /// Stores the baseline of a check, and returns it with a number of its own.
  mutating func record(_ baseline: Baseline, of check: Check, by clock: ServerClock) -> Baseline {
    lastNumber += 1
    useCount += 1
    var baseline = baseline
    baseline.number = lastNumber
    entries[check] = Entry(baseline: baseline, clockSteps: clock.steps, lastUse: useCount)
    return baseline
  }

  /// Marks the numbers up to one as used.
  mutating func reserveNumbers(upTo number: Int) { lastNumber = max(lastNumber, number) }

  /// Schedules another attempt after a transient failure; a final failure holds no write back.
  mutating func recordFailure(
    _ reading: Reading, _ failure: Failure, atLeast delay: Duration?, at now: Duration
  ) {
    let isTransient = failure.category == .transient
    guard isTransient, reading.attempts + 1 < Self.maxAttempts else {
      let isFinal = !isTransient && TokenTrouble(failure) == nil
      failures[reading.check] = (failure.error.message, isFinal)
      return
    }
    var reading = reading
    reading.attempts += 1
    reading.pages = BaselineReading()
    // The pacer knows better how long a throttle lasts.
    let delay = failure.reason == .throttled ? .zero : min(delay ?? .zero, Self.longestDelay)
    reading.readyAt = now + max(.seconds(1 << (reading.attempts - 1)), delay)
    readings.append(reading)
  }
}
