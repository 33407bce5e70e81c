import CommandHarness
import GraphAPI
import GraphSandbox
import JSONPath
import Synchronization
import Testing

@testable import GraphFlowCLI

/// Polling while a person logs a device in, on a virtual clock.
struct DeviceLoginTests {
  /// How Graph answers a poll.
  enum Step: Sendable {
    case pending, slowDown, declined, expired, granted, page
    case unreachable
    case refused
  }

  private struct Trace {
    let token: AccessToken?
    let failure: CommandFailure?
    /// The times of the polls, in seconds after the code was issued.
    let polls: [Int]
    let told: [String]
  }

  private static func trace(
    _ steps: [Step], lifetime: Int = 420, interval: Int = 7
  ) async throws -> Trace {
    let clock = LeapingClock()
    let script = ScriptedGraph(steps, clock)
    let told = Mutex<[String]>([])
    let flow = DeviceLoginFlow(
      client: GraphClient(transport: script, url: .standard, version: .current),
      appClient: try #require(AccessToken("42|client")), clock: clock,
      notify: { text in told.withLock { $0.append(text) } })
    let body = #"{"code":"c","user_code":"U","expires_in":\#(lifetime),"interval":\#(interval)}"#
    let code = try #require(DeviceCode(body: .init(parsing: body)))
    var (token, failure): (AccessToken?, CommandFailure?) = (nil, nil)
    do { token = try await flow.token(for: code).token } catch let error as CommandFailure {
      failure = error
    }
    return Trace(token: token, failure: failure, polls: script.polls, told: told.withLock(\.self))
  }

  @Test func `polling keeps the interval, and slows down when Graph asks for it`() async throws {
    let trace = try await Self.trace([.pending, .slowDown, .pending, .granted])

    #expect(trace.polls == [7, 14, 26, 38])
    #expect(trace.token?.exposed == "EAAnew")
    #expect(trace.told == [])
  }

  @Test func `a connection problem is reported once, and polling slows down`()
    async throws
  {
    let trace = try await Self.trace([.unreachable, .page, .unreachable, .pending, .granted])

    #expect(trace.polls == [7, 21, 49, 105, 112])
    #expect(trace.token != nil)
    #expect(trace.told.count == 1, "\(trace.told)")
  }

  @Test(arguments: [
    (Step.declined, GraphFlowCLI.ExitStatus.notPermitted), (.expired, .tryAgainLater),
    (.refused, .notPermitted),
  ])
  func `a final answer ends polling at once`(
    _ step: Step, _ status: GraphFlowCLI.ExitStatus
  ) async throws {
    let trace = try await Self.trace([.pending, step, .granted])

    #expect(trace.failure?.status == status)
    #expect(trace.polls.count == 2)
    #expect(trace.failure?.message.contains("EAAcanary") == false)
  }

  @Test func `the last poll is when the code expires`() async throws {
    let trace = try await Self.trace([.pending, .pending, .pending, .granted], lifetime: 20)

    #expect(trace.polls == [7, 14, 20])
    #expect(trace.failure?.status == .tryAgainLater)
  }

  @Test func `a login fails with the reason that Graph is unreachable`() async throws {
    let trace = try await Self.trace(Array(repeating: .unreachable, count: 50))

    #expect(trace.failure?.status == .unreachable)
    #expect(trace.polls.last == 420)
  }

  /// The sandbox's own clock decides which poll is too early and when the code expires.
  @Test func `no poll of the sandbox is too early, and the code finally expires`()
    async throws
  {
    let clock = LeapingClock()
    let start = 1_790_000_000
    var configuration = Sandbox.Configuration()
    configuration.clock = { start + Int(clock.now.offset / .seconds(1)) }
    let (failure, calls) = try await Sandbox(configuration).serving { sandbox in
      let url = try #require(GraphURL(sandbox.url))
      let failure = try await HTTPClientTransport.withTransport { transport in
        let flow = DeviceLoginFlow(
          client: GraphClient(transport: transport, url: url, version: .current),
          appClient: try #require(AccessToken("122000000000001|client")), clock: clock,
          notify: { Issue.record("told: \($0)") })
        let code = try await flow.requestCode(scopes: ["email"])
        return await #expect(throws: CommandFailure.self) { try await flow.token(for: code) }
      }
      return (failure, await sandbox.calls().count)
    }

    #expect(failure?.status == .tryAgainLater)
    #expect(failure?.message.contains("the code was not entered in time") == true)
    // One poll every five seconds of seven minutes, and one request for the code.
    #expect(calls == 85)
  }
}

/// Answers from a list.
private struct ScriptedGraph: Transport {
  private final class Rest: Sendable {
    let steps: Mutex<[DeviceLoginTests.Step]>
    init(_ steps: [DeviceLoginTests.Step]) { self.steps = Mutex(steps) }
  }

  private final class Asked: Sendable {
    let times = Mutex<[Int]>([])
  }

  private let rest: Rest
  private let times = Asked()
  private let clock: LeapingClock

  init(_ steps: [DeviceLoginTests.Step], _ clock: LeapingClock) {
    rest = Rest(steps)
    self.clock = clock
  }

  /// The times of the polls, in seconds.
  var polls: [Int] { times.times.withLock(\.self) }

  func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure)
    -> WireResponse
  {
    times.times.withLock { $0.append(Int(clock.now.offset / .seconds(1))) }
    let step = rest.steps.withLock { $0.isEmpty ? .expired : $0.removeFirst() }
    switch step {
    case .pending: return Self.error(31, 1_349_174)
    case .slowDown: return Self.error(17, 1_349_172)
    case .declined: return Self.error(31, 1_349_173)
    case .expired: return Self.error(463, 1_349_152)
    case .refused: return Self.error(190, 0)
    case .page: return WireResponse(status: 502, body: Array("<html>".utf8))
    case .granted:
      return WireResponse(status: 200, body: Array(#"{"access_token":"EAAnew"}"#.utf8))
    case .unreachable: throw TransportFailure(kind: .notSent, message: "no network")
    }
  }

  private static func error(_ code: Int, _ subcode: Int) -> WireResponse {
    let text = "no access_token=EAAcanary4711"
    let body = #"{"error":{"message":"\#(text)","code":\#(code),"error_subcode":\#(subcode)}}"#
    return WireResponse(status: 400, body: Array(body.utf8))
  }
}
