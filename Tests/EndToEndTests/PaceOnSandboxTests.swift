import CommandHarness
import GraphAPI
import GraphFlow
import GraphSandbox
import Synchronization
import Testing

@testable import GraphFlowCLI

/// A run over HTTP, with its journal, against a sandbox with rolling limits of an hour.
struct PaceOnSandboxTests {
  private struct Trace: Sendable {
    let end: RunEnd
    let report: Report
    let sent: [Sent]
    let calls: [SandboxCall]

    var counted: Int { calls.reduce(0) { $0 + $1.operations.count } }
    var useful: Int { report.requests.count { $0.status == .succeeded } }
  }

  /// The time of a call, and the end of the pause that its answer announced, if any.
  fileprivate struct Sent: Sendable {
    let at: Duration
    let silentUntil: Duration?
  }

  @Test(arguments: [0, 1, 5, 10, 20])
  func `counted calls are useful, however many reads fail`(_ percent: Int) async throws {
    let rate = Double(percent) / 100
    let trace = try await trace(
      reads: 1500,
      faults: percent == 0
        ? []
        : [
          FaultRule(
            .operation(.error(InjectedError(code: 2), .notApplied)),
            when: FaultCondition(occasion: .chance(rate))
          )
        ]
    )

    let efficiency = Double(trace.useful) / Double(trace.counted)
    #expect(efficiency >= 0.95 * (1 - rate))
    #expect(trace.calls.allSatisfy { $0.status == 200 })
    // A read fails after four attempts.
    #expect(trace.useful >= 1485 - 15 * percent)
    #expect(trace.sent.last?.at ?? .zero >= .seconds(7200))
  }

  @Test func `a limit without a header is found with few refusals`() async throws {
    let trace = try await trace(reads: 1500, of: .user)

    #expect(trace.end.status == .succeeded)
    let refused = trace.calls.flatMap(\.operations).count { $0.code != 200 }
    #expect((1...100).contains(refused))
  }

  @Test func `nothing is sent during a pause that Graph announced`() async throws {
    let throttle = OperationFault.throttled(code: 17, regain: .seconds(300))
    let trace = try await trace(
      reads: 600,
      faults: [100, 101, 400].map {
        FaultRule(.operation(throttle), when: FaultCondition(occasion: .nth($0)))
      }
    )

    #expect(trace.end.status == .succeeded)
    let pauses = trace.sent.compactMap { call in
      call.silentUntil.map { (from: call.at, until: $0) }
    }
    #expect(pauses.count >= 2)
    for pause in pauses {
      #expect(!trace.sent.contains { $0.at > pause.from && $0.at < pause.until })
    }
  }

  @Test func `a total outage takes few attempts, and the run can be resumed`() async throws {
    let trace = try await trace(
      reads: 1000,
      patience: "15m",
      faults: [
        FaultRule(.call(.dropped(.notApplied)), when: FaultCondition(delay: .seconds(2)))
      ]
    )

    #expect(trace.end.status == .unfinished && trace.end.exitCode == 75)
    #expect(trace.end.resumeAfter != nil)
    #expect(Double(trace.counted) / 1000 <= 1.10)
  }

  /// Runs all reads, against a limit of 600 calls an hour; each read counts as one.
  private func trace(
    reads count: Int,
    of kind: RateLimits.Kind = .app,
    patience: String = "9h",
    faults: [FaultRule] = []
  ) async throws -> Trace {
    let requests = (0..<count).map { "  r\($0): {get: me, params: {locale: \"l\($0)\"}}\n" }
    let text =
      "graphflow: 1\ndefaults: {retry: {max_elapsed: \(patience)}}\nrequests:\n" + requests.joined()
    let source = SourceFile(path: "reads.yaml", bytes: Array(text.utf8))
    let workflow = try #require(Workflow.reading(source).workflow)
    let values = InputValues.resolving(workflow, flags: [], file: nil, environment: [:]).values
    let inputs = try #require(values)
    let folder = try TemporaryFolder()
    let start = 1_790_000_000
    let clock = LeapingClock()
    var configuration = Sandbox.Configuration()
    configuration.world.limits = RateLimits(quotas: [kind: RateLimits.Quota(calls: 600)])
    configuration.faults = FaultPlan(faults)
    configuration.clock = { start + Int(clock.now.offset / .seconds(1)) }
    return try await Sandbox(configuration).serving { sandbox in
      let graphURL = try #require(GraphURL(sandbox.url))
      let token = try #require(AccessToken(sandbox.tokens[0].token))
      var chance = SystemRandomNumberGenerator()
      let startedAt = Timestamp(milliseconds: Int64(start) * 1000)
      let id = RunID(startedAt: startedAt, using: &chance)
      let journal = try StateDirectory(path: folder.path).createJournal(for: id)
      let state = RunState(
        workflow: workflow,
        inputs: inputs,
        options: RunOptions(concurrency: 1),
        context: RunContext(
          graphURL: graphURL,
          version: .current,
          token: { _ in token },
          readFile: { _ in [] }
        ),
        id: id,
        startedAt: startedAt,
        seed: 1
      )
      let sent = SentCalls()
      var report = Report(of: [])
      let end = try await HTTPClientTransport.withTransport { http in
        let transport = TimedTransport(base: http, clock: clock, sent: sent)
        var state = state
        return try await Runner(transport: transport, journal: journal, clock: clock)
          .run(&state) { report.apply($0) }
      }
      try await journal.close()
      return Trace(
        end: end,
        report: report,
        sent: sent.calls.withLock(\.self),
        calls: await sandbox.calls()
      )
    }
  }
}

/// The calls that were sent, in order.
private final class SentCalls: Sendable {
  let calls = Mutex<[PaceOnSandboxTests.Sent]>([])
}

/// Real HTTP; each call advances the virtual clock by a fifth of a second.
private struct TimedTransport: Transport {
  let base: any Transport
  let clock: LeapingClock
  let sent: SentCalls

  func send(
    _ request: WireRequest,
    timeout: Duration
  ) async throws(TransportFailure)
    -> WireResponse
  {
    let at = clock.now.offset
    defer { clock.pass(.milliseconds(200)) }
    let answer: WireResponse
    do throws(TransportFailure) {
      answer = try await base.send(request, timeout: timeout)
    } catch {
      sent.calls.withLock { $0.append(.init(at: at, silentUntil: nil)) }
      throw error
    }
    let silence = Self.announcedSilence(in: String(decoding: answer.body, as: UTF8.self))
    sent.calls.withLock { $0.append(.init(at: at, silentUntil: silence.map { at + $0 })) }
    return answer
  }

  /// The pause that the usage headers announce, in whole minutes.
  private static func announcedSilence(in body: String) -> Duration? {
    body.matches(of: /estimated_time_to_regain_access[\\"]*:\s*([0-9]+)/)
      .compactMap { Int($0.output.1) }.max().flatMap { $0 > 0 ? .seconds($0 * 60) : nil }
  }
}
