import GraphAPI
import Testing

@testable import GraphFlow

/// Pauses that runs share, on machines with wrong clocks.
struct SharedTimeTests {
  /// A run that is throttled once, with an announced pause.
  private func refusedRun(_ hint: Duration) throws -> Simulation {
    var run = try Simulation(workflow(requests: ["r: {get: me, retry: false}"]))
    run.callFault = { [hint] call in
      .answered(
        .items([.error(GraphError(message: "(#4) limit", code: 4), 400)]),
        CallFacts(
          status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: hint,
          date: HTTPDate(Simulation.startedAt.httpText)))
    }
    return run
  }

  private static func longestPause(_ snapshot: QuotaSnapshot) -> Timestamp? {
    snapshot.records.values.compactMap(\.silentUntil).max()
  }

  @Test(arguments: [0, 7200, -7200, 63_072_000, -63_072_000])
  func `a pause is stored by Graph's clock`(_ ahead: Int) throws {
    var run = try refusedRun(.seconds(600))
    // The time of this machine's clock when Graph's shows the start of the simulation.
    let graph = Simulation.startedAt.advanced(by: .seconds(-ahead))
    let fault = run.callFault
    run.callFault = { call in
      guard case .answered(let answer, var facts)? = fault(call) else { return nil }
      facts.date = HTTPDate(graph.httpText)
      return .answered(answer, facts)
    }
    _ = try run.run()

    let until = try #require(Self.longestPause(run.state.lastQuotaChanges(at: .zero)))

    let length = until.milliseconds - graph.milliseconds
    #expect((598_000...663_000).contains(length), "\(length)")
  }

  @Test func `no stored pause is longer than a day`() {
    let now = Simulation.startedAt
    var change = QuotaRecord()
    change.silentUntil = now.advanced(by: .seconds(900_000))
    change.changedAt = now
    var record = QuotaRecord()
    record.merge(change, at: now)
    #expect(record.silentUntil == now.advanced(by: .seconds(86_400)))

    // Pauses stored by a clock that was years ahead are dropped.
    record.silentUntil = now.advanced(by: .seconds(90_000_000))
    change.silentUntil = now.advanced(by: .seconds(60))
    record.merge(change, at: now)
    #expect(record.silentUntil == change.silentUntil)
  }

  @Test func `a clock that is certainly wrong does not decide about pauses`() throws {
    let now = Simulation.startedAt
    var record = QuotaRecord()
    record.changedAt = now.advanced(by: .seconds(7200))
    record.silentUntil = now.advanced(by: .seconds(7260))
    var snapshot = QuotaSnapshot()
    let token = try #require(AccessToken("token-of-default"))
    snapshot.records[Fingerprint(of: token, at: .standard)] = record
    var time = SharedTime()

    #expect(time.converted(snapshot, at: now).records.isEmpty)

    // By Graph's first answer it is two hours later.
    #expect(time.record(.seconds(7200)) == .seconds(-7200))
    #expect(Self.longestPause(time.converted(snapshot, at: now)) == now.advanced(by: .seconds(60)))
    #expect(time.record(.seconds(7201)) == nil)
  }

  @Test func `a clock earlier than the run's own journal does not decide about pauses`() throws {
    var first = try refusedRun(.seconds(600))
    _ = try first.run()
    let shared = first.state.lastQuotaChanges(at: .zero)
    // The machine boots with yesterday's clock, as if the pause had just begun.
    for behind in [0, 86_400] {
      var second = try Simulation(first.workflow, replaying: first.events, at: .seconds(-behind))
      second.state.pace.pacer.register(try #require(AccessToken("token-of-default")))
      second.state.mergeQuota(shared, at: .zero)

      _ = try second.run()

      let first = try #require(second.calls.first?.at)
      #expect((first > .seconds(590)) == (behind == 0), "\(behind) s behind")
    }
  }

  @Test func `a pause announced to this run survives a correction by Graph's clock`() throws {
    let token = try #require(AccessToken("token-of-default"))
    let now = Simulation.startedAt
    var own = QuotaGauge()
    own.recordPause(.seconds(600), at: now, jitter: 0)
    var other = QuotaGauge()
    other.merge(own.record, jitter: 0)
    own.merge(own.record, jitter: 0)

    own.shiftTimes(by: .seconds(-7200))
    other.shiftTimes(by: .seconds(-7200))

    let until = now.advanced(by: .seconds(600))
    #expect(own.record.silentUntil == until && own.unshared != nil)
    #expect(other.record.silentUntil == until.advanced(by: .seconds(-7200)))
    #expect(other.unshared == nil)
    // The pause that it had stored by the wrong clock is corrected.
    let key = Fingerprint(of: token, at: .standard)
    var snapshot = QuotaSnapshot()
    snapshot.records[key] = own.record
    var changes = QuotaSnapshot()
    changes.records[key] = own.record
    snapshot.merge(changes.shifted(by: .seconds(7200)), at: now.advanced(by: .seconds(7200)))
    #expect(Self.longestPause(snapshot) == until.advanced(by: .seconds(7200)))
  }

  @Test func `the first answer shifts pauses that were read before it`() {
    let record = QuotaRecord()
    var moved = record
    moved.silentUntil = Timestamp(milliseconds: 5000)
    moved.readAt = Timestamp(milliseconds: 1000)
    let back = moved.shifted(by: .seconds(3)).shifted(by: .seconds(-3))
    #expect(back == moved)
    #expect(moved.shifted(by: .seconds(3)).silentUntil == Timestamp(milliseconds: 8000))
  }
}
