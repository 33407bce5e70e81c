import GraphAPI

/// The attempts at operations: their retries, and the bisection of calls that fail as a whole.
struct Attempts: Sendable {
  var retries: Retries
  /// The operations of calls that failed as a whole.
  private var failedBatches = FailedBatches()

  /// What to do about a request whose retry the retry budget did not allow.
  private static let noMoreRetriesHint =
    "it was not sent again: a run makes at most 10 calls for retries, plus a tenth of its other "
    + "calls; graphflow resume RUN sends it again"

  init(seed: UInt64) { retries = Retries(seed: seed) }

  /// When the next probe is ready.
  var nextProbeTime: Duration? { failedBatches.nextTime }

  /// The operations of the last probes, each of which gets a call of its own.
  var probes: [[Int]] { failedBatches.probes }

  /// Whether every operation of a call is a retry, or follows one.
  ///
  /// A call whose retries are all due to throttling does not count.
  func isRetry(_ members: [PackedBatch.Member], _ progress: RunProgress) -> Bool {
    var isAfterFailure = false
    for member in members where member.references.isEmpty && member.dependsOn == nil {
      guard let failure = progress[member.request].retriedFailure else { return false }
      isAfterFailure = isAfterFailure || failure.reason != .throttled
    }
    return isAfterFailure
  }

  /// Whether a call is a retry for which the budget has no room; its failed members then end.
  func giveUp(_ members: [PackedBatch.Member], _ progress: inout RunProgress) -> Bool {
    guard !retries.areAllowed, isRetry(members, progress) else { return false }
    for instance in members.map(\.request) {
      if var failure = progress[instance].retriedFailure, failure.reason != .throttled {
        failure.hint = Self.noMoreRetriesHint
        progress.complete(instance, Ending(status: .failed, failure: failure))
      } else {
        progress.putBack(instance)
      }
    }
    return true
  }

  // MARK: - Bisection

  /// Whether all operations of a call belong to one probe.
  func isProbe(_ members: [PackedBatch.Member]) -> Bool {
    guard let first = members.first?.request,
      let probe = failedBatches.probes.first(where: { $0.contains(first) })
    else { return false }
    return members.allSatisfy { probe.contains($0.request) }
  }

  /// Isolates the operations to be sent again of a call that failed as a whole.
  ///
  /// Reads and writes are in separate chunks. A write is included only if its own `retry` allows
  /// another attempt. An operation that follows another one still waits for it.
  mutating func isolate(
    _ members: [PackedBatch.Member], _ collapse: FailedBatches.Collapse,
    _ progress: inout RunProgress
  ) {
    let facts = progress.facts
    let retried = members.map(\.request).filter {
      // What is read in parts next has not failed.
      progress.instances.delay(of: $0) != nil && progress.isFree($0)
        && progress[$0].lastFailure != nil
    }
    for isWrite in [false, true] {
      let together = retried.filter { facts.request(of: $0).isWrite == isWrite }
      guard !together.isEmpty else { continue }
      let isCounted = isWrite || collapse == .broken
      var notBefore = Duration.zero
      var attemptsLeft = Int.max
      for instance in together {
        notBefore = max(notBefore, progress.instances.delay(of: instance) ?? .zero)
        let left = facts.request(of: instance).retry?.attemptsLeft(
          after: progress[instance].attempts)
        attemptsLeft = min(attemptsLeft, left ?? 1)
        progress.move(instance, to: .isolated)
      }
      let width = FailedBatches.width(
        after: together.count, attemptsLeft: isCounted ? max(attemptsLeft, 1) : nil)
      failedBatches.add(
        FailedBatches.Chunk(
          members: together.sorted(), width: width, collapse: isWrite ? .broken : collapse,
          notBefore: notBefore))
    }
  }

  /// Makes the next probes ready to be packed, once the last ones were answered.
  mutating func chooseProbes(_ progress: inout RunProgress) {
    var isolated = failedBatches.isEmpty ? [] : progress.instances.isolated
    if !retries.areAllowed {
      giveUpIsolated(isolated, &progress)
      isolated = []
    }
    for instance in failedBatches.chooseProbes(at: progress.now, among: isolated) {
      let policy = progress.facts.request(of: instance).retry
      if policy?.allowsAttempt(after: progress[instance].attempts, at: progress.now) == true {
        progress.postpone(instance, until: progress.now)
      } else {
        giveUpIsolated([instance], &progress)
      }
    }
  }

  /// Completes isolated instances as failed, because the time or the retry budget is used up.
  private func giveUpIsolated(_ isolated: Set<Int>, _ progress: inout RunProgress) {
    for instance in isolated.sorted() {
      let failure = progress[instance].lastFailure
      progress.complete(instance, Ending(status: .failed, failure: failure))
    }
  }

  /// Records the result of a call for the bisection.
  ///
  /// A probe that is answered was useful, so it does not count as a retry.
  ///
  /// - Returns: How the call failed as a whole; nil if it did not, or had one operation.
  mutating func recordCollapse(
    of call: CallUnderWay, with count: Int, _ answered: AnsweredCall
  ) -> FailedBatches.Collapse? {
    let collapse = answered.collapse(ofCallWith: count)
    if collapse == nil, case .failed = answered.result {
      // The call was not sent, which means nothing for its operations.
      failedBatches.recordUnsentCall()
      return nil
    }
    failedBatches.recordCall(collapse, ofCallWith: count, isProbe: call.draft.isProbe)
    if call.draft.isProbe, collapse == nil { retries.forgiveCall() }
    return count > 1 ? collapse : nil
  }
}

/// When failed operations are sent again, and how many calls that may cost.
struct Retries: Sendable {
  private let seed: UInt64
  private var generator: SplitMix64
  /// The number of calls that carried only second and later attempts.
  private var retryCalls = 0
  /// The number of the other batch and single calls.
  private var firstCalls = 0

  init(seed: UInt64) {
    self.seed = seed
    generator = SplitMix64(seed: seed)
  }

  /// A random number from 0 to 1.
  mutating func nextFraction() -> Double { Double(generator.next() >> 11) / 0x1p53 }

  /// Whether one more call may be made for retries.
  ///
  /// A run makes at most 10 such calls plus a tenth of the others, so that its retries do not
  /// worsen an outage (Google SRE book, "Handling Overload").
  var areAllowed: Bool { retryCalls < firstCalls / 10 + 10 }

  mutating func countCall(isRetry: Bool) {
    if isRetry { retryCalls += 1 } else { firstCalls += 1 }
  }

  /// Counts a retry as a first call, because it was useful.
  mutating func forgiveCall() {
    retryCalls -= 1
    firstCalls += 1
  }

  /// When a failed request is sent again; nil if it is not sent again.
  ///
  /// All requests with the same number of attempts wait for the same share of their delays, whatever
  /// the order of the answers: those that failed together are sent again together.
  func time(
    of instance: Int, after failure: Failure, isForSize: Bool = false, atLeast delay: Duration?,
    _ progress: inout RunProgress
  ) -> Duration? {
    let attempts = progress[instance].attempts
    var generator = SplitMix64(seed: seed &+ UInt64(attempts.made))
    let decision = progress.facts.request(of: instance).retry?.decision(
      after: failure, of: attempts, isForSize: isForSize, atLeast: delay, at: progress.now,
      using: &generator)
    guard case .retry(let delay, let isCounted) = decision else { return nil }
    if !isCounted { progress[instance].attempts.refund(.waiting) }
    return progress.now + delay
  }

  /// Whether and when the failed lookup of permissions is repeated.
  mutating func decision(
    after failure: Failure, ofLookup attempts: AttemptHistory, atLeast delay: Duration?,
    at now: Duration
  ) -> RetryDecision {
    RetryPolicy.standard.decision(
      after: failure, of: attempts, atLeast: delay, at: now, using: &generator)
  }
}
