import GraphAPI
import GraphFlow
import JSONPath
import Synchronization
import Testing

/// The runner around the run's state: calls, clock, journal and signals, with a scripted environment.
struct RunnerTests {
  @Test func `the intent is in the journal before the call, the outcome before the next`()
    async throws
  {
    let log = Log()
    let journal = ScriptedJournal(log)
    let transport = ScriptedTransport { request in
      log.record("sent")
      return ScriptedTransport.items(in: request) { _ in #"{"id":"1"}"# }
    }
    let end = try await run(
      requests: ["a: {post: x, expect: [\"$.id\"]}", "b: {get: \"{result=a:$.id}\"}"], transport,
      journal)

    #expect(end.status == .succeeded)
    #expect(
      log.entries == [
        "journal: runStarted durably", "journal: callStarted durably", "sent",
        "journal: callEnded attemptEnded requestEnded callStarted durably", "sent",
        "journal: callEnded attemptEnded requestEnded runEnded durably",
      ])
  }

  @Test func `calls that may start together are journaled together, before any of them`()
    async throws
  {
    let log = Log()
    let transport = ScriptedTransport { request in
      log.record("sent")
      return ScriptedTransport.items(in: request) { _ in "{}" }
    }
    _ = try await run(
      requests: ["a: {get: x, batch: alone}", "b: {post: y, batch: alone}"], transport,
      ScriptedJournal(log))

    let start = ["journal: runStarted durably", "journal: callStarted callStarted durably"]
    #expect(log.entries.starts(with: start))
    #expect(log.entries.filter { $0 == "sent" }.count == 2)
  }

  @Test func `a journal that cannot be written stops the run before the call`() async throws {
    let log = Log()
    let transport = ScriptedTransport { _ in
      log.record("sent")
      return WireResponse(status: 200)
    }
    let journal = ScriptedJournal(log, failingAt: 2)

    await #expect(throws: ScriptedJournal.DiskFull.self) {
      try await run(requests: ["a: {post: x}"], transport, journal)
    }
    #expect(!log.entries.contains("sent"))
  }

  @Test func `delays pass on the injected clock`() async throws {
    let clock = ManualClock()
    let failures = Mutex(2)
    let transport = ScriptedTransport { request throws(TransportFailure) in
      let fails = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw TransportFailure(kind: .timedOut, message: "timed out") }
      return ScriptedTransport.items(in: request) { _ in "{}" }
    }
    let end = try await run(
      requests: [
        "a: {get: x, retry: {jitter: none, initial_delay: 1h, max_delay: 9h, max_elapsed: 9h}}"
      ], transport, ScriptedJournal(Log()), clock: clock)

    #expect(end.status == .succeeded)
    #expect(clock.now.offset >= .seconds(3 * 3600))
    #expect(end.waitedMilliseconds == 3 * 3_600_000)
  }

  @Test func `a signal lets calls under way end and starts no others`() async throws {
    let stop = StopSignal()
    let transport = ScriptedTransport { request in
      stop.give(exitCode: 143)
      return ScriptedTransport.items(in: request) { _ in "{}" }
    }
    let end = try await run(
      requests: ["a: {get: x, batch: alone}", "b: {get: y, depends_on: [a], batch: alone}"],
      transport, ScriptedJournal(Log()), stop: stop)

    #expect(end.exitCode == 143 || end.exitCode == 0)
  }

  @Test func `a signal while waiting ends the wait`() async throws {
    let stop = StopSignal()
    let transport = ScriptedTransport { _ throws(TransportFailure) in
      stop.give(exitCode: 130)
      throw TransportFailure(kind: .timedOut, message: "timed out")
    }
    // On a machine with much to do, minutes may pass before the answer is handled.
    let end = try await run(
      requests: [
        "a: {get: x, retry: {jitter: none, initial_delay: 1h, max_delay: 1h, max_elapsed: 24h}}"
      ], transport, ScriptedJournal(Log()), clock: ContinuousClock(), stop: stop)

    #expect(end.exitCode == 130 && end.status == .cancelled)
  }

  @Test func `the grace period after a signal includes the clean-up`() async throws {
    let stop = StopSignal()
    let calls = Mutex(0)
    let transport = ScriptedTransport { request throws(TransportFailure) in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      guard isFirst else { throw TransportFailure(kind: .timedOut, message: "timed out") }
      stop.give(exitCode: 130)
      return ScriptedTransport.items(in: request) { _ in "{}" }
    }
    let retry = "retry: {jitter: none, initial_delay: 2s, max_attempts: 2}"
    let end = try await run(
      requests: ["a: {get: x}", "clean: {get: y, depends_on: [a], always: true, \(retry)}"],
      transport, ScriptedJournal(Log()), clock: ContinuousClock(), stop: stop,
      gracePeriod: .milliseconds(100))

    #expect(end.exitCode == 130 && end.status == .cancelled)
    #expect(calls.withLock { $0 } <= 2)
  }

  @Test func `an unavailable token fails the requests that need it`() async throws {
    let transport = ScriptedTransport { _ in WireResponse(status: 200) }
    let end = try await run(
      requests: ["a: {get: x}"], transport, ScriptedJournal(Log()), token: nil)

    #expect(end.exitCode == 77)
  }

  @Test func `the next run knows the limits that a run has found`() async throws {
    let known = KnownQuota()
    let calls = Mutex(0)
    let transport = ScriptedTransport { _ in
      calls.withLock { $0 += 1 }
      let error = #"{"error":{"code":4,"message":"(#4) Application request limit reached"}}"#
      let headers = [HeaderField("Retry-After", "7200")].compactMap(\.self)
      return WireResponse(status: 400, headers: headers, body: Array(error.utf8))
    }
    for _ in 1...2 {
      let end = try await run(
        requests: ["a: {get: x}"], transport, ScriptedJournal(Log()), quota: known)
      #expect(end.exitCode == 75)
    }
    #expect(calls.withLock { $0 } == 1)
  }

  private func run(
    requests: [String], _ transport: ScriptedTransport, _ journal: ScriptedJournal,
    clock: some Clock<Duration> & Sendable = ManualClock(), stop: StopSignal = StopSignal(),
    token: String? = "EAAtoken", quota: (any QuotaStore)? = nil,
    gracePeriod: Duration = .seconds(10)
  ) async throws -> RunEnd {
    let workflow = try workflow(requests: requests)
    let (values, _) = InputValues.resolving(workflow, flags: [], file: nil, environment: [:])
    let startedAt = Timestamp(milliseconds: 0)
    var generator = SplitMix64(seed: 1)
    var state = RunState(
      workflow: workflow, inputs: try #require(values), options: RunOptions(),
      context: RunContext(
        graphURL: .standard, version: .current,
        token: { _ throws(TokenUnavailable) in
          guard let token = token.flatMap(AccessToken.init) else {
            throw TokenUnavailable(message: "no token", hint: "set one")
          }
          return token
        }, readFile: { _ in [] }), id: RunID(startedAt: startedAt, using: &generator),
      startedAt: startedAt, seed: 1)
    let runner = Runner(
      transport: transport, journal: journal, clock: clock, gracePeriod: gracePeriod, quota: quota)
    return try await runner.run(&state, stop: stop) { _ in }
  }
}

/// A quota store in memory.
private actor KnownQuota: QuotaStore {
  private var snapshot = QuotaSnapshot()

  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) -> QuotaSnapshot? {
    snapshot.merge(changes, at: now)
    return snapshot
  }
}
