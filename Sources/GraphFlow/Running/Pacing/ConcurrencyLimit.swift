#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How many calls may be under way at a time: a fixed number, or one that adapts to the answers.
///
/// The adaptive limit starts at 4 and tries larger values, up to 32. While a server has capacity to
/// spare, it answers more calls as fast as fewer ones. Once it has none, twice as many calls take
/// twice as long, and nothing is gained. So a larger limit is kept if the latency has grown by less
/// than half as much as the limit, on logarithmic scales, and is otherwise taken back. TCP Vegas
/// decides like this. Because latencies vary, a decision waits until the difference is larger than
/// two standard errors; with equal latencies that takes eight answers.
///
/// A call that is throttled or times out halves the limit at once, as a lost packet does in TCP Reno,
/// and so do latencies that rise without a change of the limit. A larger limit is then tried again
/// after five minutes, or after ten seconds if latency alone was the reason. Each further setback
/// doubles that time, up to an hour, until a larger limit proves good.
struct ConcurrencyLimit: Hashable, Sendable {
  /// The values of an adaptive limit; from 2 on two steps are a factor of two.
  private static let levels = [1, 2, 3, 4, 6, 8, 12, 16, 24, BatchLimits.concurrency.upperBound]
  private static let startLevel = 3
  /// After this number of answers a difference of any size decides.
  private static let mostAnswers = 400

  private let fixed: Int?
  /// The last level that proved good, and its latencies.
  private var base = Measurement(level: startLevel)
  /// The larger level that is being compared with it.
  private var trial: Measurement?
  /// The last latencies of the base, which show whether they rise.
  private var recent = Latencies()
  private var lastCall = 0
  /// The first call that was sent under the current value.
  private var firstCall = 1
  /// The last call with which the limit was reached.
  private var lastFullCall = 0
  /// No level from this one on is tried before the rest ends.
  private var ceiling = levels.count
  private var restEnd = Duration.zero
  private var setbacks = 0

  /// Makes a limit; without a fixed number it adapts.
  init(fixed: Int? = nil) { self.fixed = fixed }

  /// The largest number of calls under way.
  var value: Int { fixed ?? (trial ?? base).value }

  /// Records that a call was sent, with the number of calls under way including it.
  mutating func recordCall(_ number: Int, underWay count: Int) {
    lastCall = number
    if count >= value { lastFullCall = number }
  }

  /// How a call was answered.
  enum Answer: Hashable, Sendable {
    case served(after: Duration)
    case throttled
    case timedOut
  }

  /// Records the answer to a call of operations.
  ///
  /// It shows nothing if the call was sent before the limit last changed. Nor does a latency if the
  /// limit was not reached while the call was under way.
  ///
  /// - Returns: Why the limit has changed; nil if it has not.
  mutating func recordAnswer(
    _ answer: Answer, toCall number: Int, at now: Duration
  ) -> ConcurrencyChange.Cause? {
    guard fixed == nil, number >= firstCall else { return nil }
    let old = value
    let cause: ConcurrencyChange.Cause
    switch answer {
    case .throttled:
      halve(restingFor: .seconds(300), at: now)
      cause = .throttled
    case .timedOut:
      halve(restingFor: .seconds(300), at: now)
      cause = .timeout
    case .served(let latency):
      guard number <= lastFullCall else { return nil }
      compare(log(max(latency / .microseconds(1), 1)), at: now)
      cause = value > old ? .growth : .latency
    }
    guard value != old else { return nil }
    firstCall = lastCall + 1
    return cause
  }

  /// Decides about the trial, or begins one, after one more latency.
  private mutating func compare(_ latency: Double, at now: Duration) {
    if var measured = trial {
      measured.latencies.add(latency, atMost: Self.mostAnswers)
      trial = measured
      guard let isGood = measured.isGood(over: base) else { return }
      trial = nil
      if isGood {
        setBase(measured)
      } else {
        rest(.seconds(10), before: measured.level, at: now)
      }
    } else {
      base.latencies.add(latency, atMost: Self.mostAnswers)
      recent.add(latency, atMost: 64)
      if base.level > Self.startLevel, recent.count == 64, recent.hasRisen(above: base.latencies) {
        return halve(restingFor: .seconds(10), at: now)
      }
    }
    let top = now < restEnd ? ceiling - 1 : Self.levels.count - 1
    let next = Measurement(level: min(base.level + 2, top))
    if next.level > base.level, base.isKnown(forTrialOf: next) { trial = next }
  }

  private mutating func halve(restingFor time: Duration, at now: Duration) {
    let level = (trial ?? base).level
    if level == 0 { return }
    let next = max(level - 2, 0)
    rest(time, before: next + 1, at: now)
    trial = nil
    setBase(Measurement(level: next))
  }

  private mutating func setBase(_ new: Measurement) {
    if new.level >= ceiling { (ceiling, setbacks) = (Self.levels.count, 0) }
    base = new
    recent = Latencies()
  }

  /// Forbids levels for a time.
  private mutating func rest(_ time: Duration, before level: Int, at now: Duration) {
    ceiling = now < restEnd ? min(ceiling, level) : level
    restEnd = max(restEnd, now + min(time * (1 << min(setbacks, 10)), .seconds(3600)))
    setbacks += 1
  }

  /// A level and the latencies under it.
  private struct Measurement: Hashable, Sendable {
    let level: Int
    var latencies = Latencies()

    var value: Int { levels[level] }

    /// How much of a rise of the latency makes a larger level worthless.
    private func tolerance(over base: Measurement) -> Double {
      log(Double(value) / Double(base.value)) / 2
    }

    /// Whether it is better than a smaller level; nil as long as that is not known.
    func isGood(over base: Measurement) -> Bool? {
      guard latencies.count >= 8 else { return nil }
      let excess = latencies.mean - base.latencies.mean - tolerance(over: base)
      let error = 2 * (latencies.squaredError + base.latencies.squaredError).squareRoot()
      let isDecided = abs(excess) > error || latencies.count == mostAnswers
      return isDecided ? excess < 0 : nil
    }

    /// Whether the latency is known well enough to be compared with that of another level.
    func isKnown(forTrialOf next: Measurement) -> Bool {
      guard latencies.count >= 8 else { return false }
      let error = 2 * (2 * latencies.squaredError).squareRoot()
      return error <= next.tolerance(over: self) || latencies.count == mostAnswers
    }
  }

  /// Mean and variance of the logarithms of the last latencies.
  private struct Latencies: Hashable, Sendable {
    private(set) var count = 0
    private(set) var mean = 0.0
    private var variance = 0.0

    /// The square of the mean's standard error.
    var squaredError: Double { variance / Double(max(count, 1)) }

    /// Adds a latency; the older ones then count for at most a number of latencies.
    mutating func add(_ value: Double, atMost limit: Int) {
      count = min(count + 1, limit)
      let (distance, weight) = (value - mean, 1 / Double(count))
      mean += distance * weight
      variance = (1 - weight) * (variance + distance * distance * weight)
    }

    /// Whether they are certainly longer than others, by half or more.
    func hasRisen(above others: Latencies) -> Bool {
      mean - others.mean > log(1.5) + 4 * (squaredError + others.squaredError).squareRoot()
    }
  }
}
