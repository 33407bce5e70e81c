package import GraphAPI
internal import Synchronization

/// Performs what ``RunState`` decides: the thin shell around a run.
///
/// The only loop with `await` in a run. It obtains tokens, makes the calls in child tasks, waits on
/// the clock that it was given, and journals every event before anything that depends on it
/// happens: the intent before the first byte of a call, and the outcome before that, along with the
/// intent that follows from it.
package struct Runner<C: Clock<Duration>>: Sendable where C: Sendable {
  private let transport: any Transport
  private let journal: any Journal
  private let clock: C
  private let gracePeriod: Duration
  private let quota: (any QuotaStore)?

  /// Makes a runner.
  ///
  /// - Parameters:
  ///   - transport: makes HTTP calls.
  ///   - journal: keeps the events.
  ///   - clock: measures time; one that never steps.
  ///   - gracePeriod: how long calls under way are awaited after a cancellation.
  ///   - quota: where this run and others share what they know of Graph's limits.
  package init(
    transport: any Transport,
    journal: any Journal,
    clock: C,
    gracePeriod: Duration = .seconds(10),
    quota: (any QuotaStore)? = nil
  ) {
    self.transport = transport
    self.journal = journal
    self.clock = clock
    self.gracePeriod = gracePeriod
    self.quota = quota
  }

  /// Runs to the end.
  ///
  /// - Parameters:
  ///   - state: a new run, or one that has replayed its journal.
  ///   - elapsed: how long ago the run first started.
  ///   - stop: becomes an exit code when the run is to stop: nothing new is started then.
  ///   - observe: sees every event, after it was journaled.
  /// - Returns: what the run came to.
  /// - Throws: what the journal reports. Nothing is sent after that.
  package func run(
    _ state: RunState,
    since elapsed: Duration = .zero,
    stop: StopSignal = StopSignal(),
    observe: (RunEvent) -> Void
  ) async throws -> RunEnd {
    var state = state
    let start = clock.now.advanced(by: .zero - elapsed)
    return try await withThrowingTaskGroup(of: Arrival.self) { group in
      group.addTask { .stop(await stop.exitCode()) }
      let results = ArrivedResults()
      // Calls whose intents are not in the journal yet.
      var intended: [Call] = []
      var lastCall: Duration?
      var files: [Int: ReadAhead<PreparedItem>] = [:]
      while true {
        let now = start.duration(to: clock.now)
        try await exchangeQuota(of: &state, at: now, observe)
        let action = state.next(at: now)
        if case .send(let call) = action {
          intended.append(call)
          continue
        }
        // What was decided at one time is journaled at once.
        try await journalEvents(of: &state, before: action, observe)
        send(intended, to: state.context.graphURL, &group, results)
        intended = []
        switch action {
        case .send: break
        case .obtainToken(let profile):
          try await obtainToken(of: profile, for: &state, observe)
        case .readItems(let index, let path, let count):
          let file = files[index] ?? state.items(ofFile: path, forGroup: index)
          files[index] = file
          let items = file.items(atMost: count)
          state.receive(
            items.mapError { ItemsUnreadable(message: "\($0)") },
            forGroup: index
          )
          group.addTask {
            file.prepare(count)
            return .itemsPrepared
          }
        case .wait(let until):
          announce(.wakeUp(until), at: start.advanced(by: until), &group)
          try await arrival(&group, results, &state, start, waitingFor: until)
        case .awaitResult:
          if state.isCancelled && lastCall == nil {
            lastCall = now + gracePeriod
            announce(.graceOver, at: start.advanced(by: now + gracePeriod), &group)
          }
          try await arrival(&group, results, &state, start, waitingFor: nil)
        case .finish(let end):
          group.cancelAll()
          _ = await quota?.exchange(state.quotaChanges, at: state.graphTime(at: now))
          return end
        }
      }
    }
  }

  /// Something that the loop waits for.
  private enum Arrival: Sendable {
    case results
    case itemsPrepared
    case wakeUp(Duration)
    case stop(Int?)
    case graceOver
  }

  /// Has something arrive at a time.
  private func announce(
    _ arrival: Arrival,
    at moment: C.Instant,
    _ group: inout ThrowingTaskGroup<Arrival, any Error>
  ) {
    group.addTask { [clock] in
      // A cancelled sleep is a run that is over or stops: both are noticed elsewhere.
      try? await clock.sleep(until: moment, tolerance: nil)
      return arrival
    }
  }

  private func send(
    _ calls: [Call],
    to graphURL: GraphURL,
    _ group: inout ThrowingTaskGroup<Arrival, any Error>,
    _ results: ArrivedResults
  ) {
    for call in calls {
      group.addTask { [transport] in
        let result = await CallNumber.$current.withValue(call.number) {
          await transport.perform(call, at: graphURL)
        }
        results.add(result, ofCall: call.number)
        return .results
      }
    }
  }

  /// Takes in the next arrival that matters.
  private func arrival(
    _ group: inout ThrowingTaskGroup<Arrival, any Error>,
    _ results: ArrivedResults,
    _ state: inout RunState,
    _ start: C.Instant,
    waitingFor wakeUp: Duration?
  ) async throws {
    while let arrival = try await group.next() {
      switch arrival {
      case .results:
        let results = results.takeAll()
        // Those of this call may have been taken along with another's.
        if results.isEmpty { continue }
        let now = start.duration(to: clock.now)
        for result in results { state.receive(result.result, forCall: result.call, at: now) }
        return
      case .itemsPrepared: break
      case .wakeUp(let time):
        // One that was overtaken by a stop wakes nobody.
        if time == wakeUp { return }
      case .stop(let exitCode):
        guard let exitCode else { continue }
        state.cancel(exitCode: exitCode)
        return
      case .graceOver:
        // The calls that are still under way end as cancelled, and their writes in doubt.
        group.cancelAll()
      }
    }
  }

  private func exchangeQuota(
    of state: inout RunState,
    at now: Duration,
    _ observe: (RunEvent) -> Void
  ) async throws {
    guard let quota, let changes = state.quotaChanges(at: now) else { return }
    // It may take its time: what has happened does not wait for it.
    try await journalEvents(of: &state, observe)
    state.mergeQuota(await quota.exchange(changes, at: state.graphTime(at: now)), at: now)
  }

  private func obtainToken(
    of profile: String,
    for state: inout RunState,
    _ observe: (RunEvent) -> Void
  ) async throws {
    state.handleToken(await token(for: profile, state.context), forProfile: profile)
    // The start of the run waited for that: it is written by itself, before any call.
    if state.hasMadeNoCall { try await journalEvents(of: &state, observe) }
  }

  /// Journals what was decided, unless the first token is to be obtained: an input may hold it, so
  /// nothing is written before it is known.
  private func journalEvents(
    of state: inout RunState,
    before action: RunState.Action,
    _ observe: (RunEvent) -> Void
  ) async throws {
    if case .obtainToken = action, state.hasMadeNoCall { return }
    try await journalEvents(of: &state, observe)
  }

  private func journalEvents(
    of state: inout RunState,
    _ observe: (RunEvent) -> Void
  ) async throws {
    let secrets = state.takeSecrets()
    if !secrets.isEmpty { state.context.noteSecrets(secrets) }
    let durably = state.mustBeDurable
    let events = state.takeEvents()
    guard !events.isEmpty else { return }
    try await journal.append(events, durably: durably)
    for event in events { observe(event) }
  }

  private func token(
    for profile: String,
    _ context: RunContext
  ) async -> Result<AccessToken, TokenUnavailable> {
    do throws(TokenUnavailable) {
      return .success(try await context.token(profile))
    } catch {
      return .failure(error)
    }
  }
}

/// Which of a run's calls is made, for what lies below the runner.
package enum CallNumber {
  /// The number of the call that this task makes; nil outside of runs.
  @TaskLocal package static var current: Int?
}

/// What calls came to, until it is taken in: all at once, so that it is journaled at once.
private final class ArrivedResults: Sendable {
  private let results = Mutex<[(result: CallResult, call: Int)]>([])

  func add(_ result: CallResult, ofCall number: Int) {
    results.withLock { $0.append((result, number)) }
  }

  func takeAll() -> [(result: CallResult, call: Int)] {
    results.withLock { results in
      defer { results = [] }
      return results
    }
  }
}

extension Transport {
  /// Makes a call and reads its answer.
  fileprivate func perform(_ call: Call, at graphURL: GraphURL) async -> CallResult {
    let request =
      switch call.content {
      case .batch(let batch): batch.wireRequest(to: graphURL)
      case .single(let single): single.wireRequest(to: graphURL)
      }
    do throws(TransportFailure) {
      let response = try await send(request, timeout: call.timeout)
      let answer =
        switch call.content {
        case .batch(let batch): batch.answer(from: response)
        case .single(let single): single.answer(from: response)
        }
      return .answered(
        answer,
        CallFacts(
          status: response.status,
          bytesSent: request.body.count,
          bytesReceived: response.body.count,
          usage: Usage(headers: response.headers),
          retryAfter: response.headers.retryAfter(),
          date: response.headers.date
        )
      )
    } catch {
      return .failed(error)
    }
  }
}
