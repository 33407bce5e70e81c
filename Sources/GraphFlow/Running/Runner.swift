package import GraphAPI
internal import Synchronization

/// Performs the actions that ``RunState`` decides on.
///
/// This is the only loop with `await` in a run. It obtains tokens, makes the calls in child tasks,
/// waits on the given clock, and journals the events. Every event is in the journal before anything
/// that depends on it happens: an intent before the first byte of its call, and an outcome together
/// with the intents that follow from it.
package struct Runner<C: Clock<Duration>>: Sendable where C: Sendable {
  private let transport: any Transport
  private let journal: any Journal
  private let clock: C
  private let gracePeriod: Duration
  private let quota: (any QuotaStore)?

  /// Makes a runner; after a cancellation it waits `gracePeriod` for the calls under way.
  package init(
    transport: any Transport, journal: any Journal, clock: C, gracePeriod: Duration = .seconds(10),
    quota: (any QuotaStore)? = nil
  ) {
    self.transport = transport
    self.journal = journal
    self.clock = clock
    self.gracePeriod = gracePeriod
    self.quota = quota
  }

  /// Performs a run until it has finished.
  ///
  /// `elapsed` is how long ago it first started. `observe` receives every event after it was
  /// journaled, and `collect` the rows of outputs that follow from them.
  ///
  /// - Throws: The error of the journal. Nothing is sent after that.
  package func run(
    _ state: inout RunState, since elapsed: Duration = .zero, stop: StopSignal = StopSignal(),
    collect: (OutputPart) -> Void = { _ in }, observe: (RunEvent) -> Void
  ) async throws -> RunEnd {
    let start = clock.now.advanced(by: .zero - elapsed)
    return try await withThrowingTaskGroup(of: Arrival.self) { group in
      group.addTask { .stop(await stop.exitCode()) }
      let results = ArrivedResults()
      // Calls whose intents are not in the journal yet.
      var intended: [Call] = []
      var graceEnd: Duration?
      var files: [Int: ReadAhead<PreparedItem>] = [:]
      while true {
        let now = start.duration(to: clock.now)
        // A token may have taken longer than the rest of the time after a signal.
        if let graceEnd, now >= graceEnd { endGrace(of: &state, &group) }
        try await exchangeQuota(of: &state, at: now, observe)
        let action = state.next(at: now)
        if case .send(let call) = action {
          intended.append(call)
          continue
        }
        // All decisions of one time are journaled together.
        let events = try await journaledEvents(of: &state, before: action)
        send(intended, to: state.facts.context.graphURL, &group, results)
        intended = []
        // Graph works on the calls meanwhile.
        for event in events { observe(event) }
        for row in state.takeRows() { collect(row) }
        if state.isCancelled && graceEnd == nil {
          graceEnd = now + gracePeriod
          announce(.graceOver, at: start.advanced(by: now + gracePeriod), &group)
        }
        switch action {
        case .send: break
        case .obtainToken(let profile):
          try await obtainToken(of: profile, for: &state, observe)
        case .readItems(let index, let path, let count):
          let file = files[index] ?? state.items(ofFile: path, forGroup: index)
          files[index] = file
          let items = file.items(atMost: count)
          state.handleItems(items.mapError { ItemsUnreadable(message: "\($0)") }, forGroup: index)
          group.addTask {
            file.prepare(count)
            return .itemsPrepared
          }
        case .wait(let until):
          announce(.wakeUp(until), at: start.advanced(by: until), &group)
          try await awaitArrival(&group, results, &state, start, waitingFor: until)
        case .awaitResult:
          try await awaitArrival(&group, results, &state, start, waitingFor: nil)
        case .finish(let end):
          group.cancelAll()
          _ = await quota?.exchange(state.lastQuotaChanges(at: now), at: state.graphTime(at: now))
          return end
        }
      }
    }
  }

  /// An event that the loop waits for.
  private enum Arrival: Sendable {
    case results
    case itemsPrepared
    case wakeUp(Duration)
    case stop(Int?)
    case graceOver
  }

  /// Schedules an arrival.
  private func announce(
    _ arrival: Arrival, at time: C.Instant, _ group: inout ThrowingTaskGroup<Arrival, any Error>
  ) {
    group.addTask { [clock] in
      // The sleep is cancelled only when the run ends or stops, which the loop handles.
      try? await clock.sleep(until: time, tolerance: nil)
      return arrival
    }
  }

  private func send(
    _ calls: [Call], to graphURL: GraphURL, _ group: inout ThrowingTaskGroup<Arrival, any Error>,
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

  /// Waits for the next arrival that changes the state.
  private func awaitArrival(
    _ group: inout ThrowingTaskGroup<Arrival, any Error>, _ results: ArrivedResults,
    _ state: inout RunState, _ start: C.Instant, waitingFor wakeUp: Duration?
  ) async throws {
    while let arrival = try await group.next() {
      switch arrival {
      case .results:
        let results = results.takeAll()
        // The results of this call may have been taken together with another's.
        if results.isEmpty { continue }
        let now = start.duration(to: clock.now)
        for result in results {
          state.handleCallResult(result.result, forCall: result.call, at: now)
        }
        return
      case .itemsPrepared: break
      case .wakeUp(let time):
        // A wake-up that a stop has overtaken has no effect.
        if time == wakeUp { return }
      case .stop(let exitCode):
        guard let exitCode else { continue }
        state.cancel(exitCode: exitCode)
        return
      case .graceOver:
        endGrace(of: &state, &group)
        return
      }
    }
  }

  /// Cancels the calls that are still under way, and their writes are in doubt.
  private func endGrace(
    of state: inout RunState, _ group: inout ThrowingTaskGroup<Arrival, any Error>
  ) {
    state.endGrace()
    group.cancelAll()
  }

  private func exchangeQuota(
    of state: inout RunState, at now: Duration, _ observe: (RunEvent) -> Void
  ) async throws {
    guard let quota, let changes = state.quotaChanges(at: now) else { return }
    // The exchange may take long, so the events are journaled before it.
    for event in try await journaledEvents(of: &state) { observe(event) }
    state.mergeQuota(await quota.exchange(changes, at: state.graphTime(at: now)), at: now)
  }

  private func obtainToken(
    of profile: String, for state: inout RunState, _ observe: (RunEvent) -> Void
  ) async throws {
    state.handleToken(await token(for: profile, state.facts.context), forProfile: profile)
    // The start of the run waited for the token. It is journaled by itself, before any call.
    guard state.hasMadeNoCall else { return }
    for event in try await journaledEvents(of: &state) { observe(event) }
  }

  /// Journals the pending events, unless the first token has yet to be obtained.
  ///
  /// An input may hold that token, so nothing may be written before the token can be masked.
  private func journaledEvents(
    of state: inout RunState, before action: RunState.Action
  ) async throws -> [RunEvent] {
    if case .obtainToken = action, state.hasMadeNoCall { return [] }
    return try await journaledEvents(of: &state)
  }

  private func journaledEvents(of state: inout RunState) async throws -> [RunEvent] {
    let secrets = state.takeSecrets()
    if !secrets.isEmpty { state.facts.context.registerSecrets(secrets) }
    let durably = state.mustBeDurable
    let events = state.takeEvents()
    if !events.isEmpty { try await journal.append(events, durably: durably) }
    return events
  }

  private func token(
    for profile: String, _ context: RunContext
  ) async -> Result<AccessToken, TokenUnavailable> {
    do throws(TokenUnavailable) {
      return .success(try await context.token(profile))
    } catch {
      return .failure(error)
    }
  }
}

/// The number of the call that a task makes, for the transport below the runner.
package enum CallNumber {
  /// The number of the call that this task makes; nil outside of runs.
  @TaskLocal package static var current: Int?
}

/// The results that have arrived; all of them are taken together, so they are journaled together.
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
          status: response.status, bytesSent: request.body.count,
          bytesReceived: response.body.count, usage: Usage(headers: response.headers),
          retryAfter: response.headers.retryAfter(), date: response.headers.date,
          hasSandboxNote: response.headers[SandboxDifference.header] != nil,
          version: response.headers[VersionAnswer.header].flatMap { GraphVersion($0) }))
    } catch {
      return .failed(error)
    }
  }
}
