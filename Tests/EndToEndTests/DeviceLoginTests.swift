import CommandHarness
import GraphAPI
import GraphSandbox
import JSONPath
import Synchronization
import Testing

@testable import GraphFlowCLI

/// Waiting for a person who logs a device in, on a clock that leaps.
struct DeviceLoginTests {
  /// What a question is answered with.
  enum Step: Sendable {
    case pending, slowDown, declined, expired, granted, page
    case unreachable
    case refused
  }

  private struct Course {
    let token: AccessToken?
    let failure: CommandFailure?
    /// When was asked, in seconds after the code was there.
    let asked: [Int]
    let told: [String]
  }

  private static func course(
    _ steps: [Step],
    lifetime: Int = 420,
    interval: Int = 7
  ) async throws -> Course {
    let clock = LeapingClock()
    let script = ScriptedGraph(steps, clock)
    let told = Mutex<[String]>([])
    let flow = DeviceLoginFlow(
      client: GraphClient(transport: script, url: .standard, version: .current),
      appClient: try #require(AccessToken("42|client")),
      clock: clock,
      notify: { text in told.withLock { $0.append(text) } }
    )
    let body = #"{"code":"c","user_code":"U","expires_in":\#(lifetime),"interval":\#(interval)}"#
    let code = try #require(DeviceCode(body: .init(parsing: body)))
    var (token, failure): (AccessToken?, CommandFailure?) = (nil, nil)
    do { token = try await flow.token(for: code).token } catch let error as CommandFailure {
      failure = error
    }
    return Course(
      token: token,
      failure: failure,
      asked: script.asked,
      told: told.withLock(\.self)
    )
  }

  @Test func `Graph is asked at the interval, and less often once it says so`() async throws {
    let course = try await Self.course([.pending, .slowDown, .pending, .granted])

    #expect(course.asked == [7, 14, 26, 38])
    #expect(course.token?.exposed == "EAAnew")
    #expect(course.told == [])
  }

  @Test func `trouble on the way is told once, and asking goes on less and less often`()
    async throws
  {
    let course = try await Self.course([.unreachable, .page, .unreachable, .pending, .granted])

    #expect(course.asked == [7, 21, 49, 105, 112])
    #expect(course.token != nil)
    #expect(course.told.count == 1, "\(course.told)")
  }

  @Test(arguments: [
    (Step.declined, GraphFlowCLI.ExitStatus.notPermitted), (.expired, .tryAgainLater),
    (.refused, .notPermitted),
  ])
  func `a last word is taken at once`(_ step: Step, _ status: GraphFlowCLI.ExitStatus) async throws
  {
    let course = try await Self.course([.pending, step, .granted])

    #expect(course.failure?.status == status)
    #expect(course.asked.count == 2)
    #expect(course.failure?.message.contains("EAAcanary") == false)
  }

  @Test func `it is asked a last time when the code ends, and then no more`() async throws {
    let course = try await Self.course([.pending, .pending, .pending, .granted], lifetime: 20)

    #expect(course.asked == [7, 14, 20])
    #expect(course.failure?.status == .tryAgainLater)
  }

  @Test func `a Graph that stays away is why the login has failed`() async throws {
    let course = try await Self.course(Array(repeating: .unreachable, count: 50))

    #expect(course.failure?.status == .unreachable)
    #expect(course.asked.last == 420)
  }

  /// Nothing but the sandbox's own clock says what is too often, and when the code is over.
  @Test func `at the sandbox no question comes too early, and the code is over in the end`()
    async throws
  {
    let clock = LeapingClock()
    let start = 1_790_000_000
    let configuration = Sandbox.Configuration(
      clock: { start + Int(clock.now.offset / .seconds(1)) }
    )
    let (failure, calls) = try await Sandbox(configuration).serving { sandbox in
      let url = try #require(GraphURL(sandbox.url))
      let failure = try await HTTPClientTransport.withTransport { transport in
        let flow = DeviceLoginFlow(
          client: GraphClient(transport: transport, url: url, version: .current),
          appClient: try #require(AccessToken("122000000000001|client")),
          clock: clock,
          notify: { Issue.record("told: \($0)") }
        )
        let code = try await flow.requestCode(scopes: ["email"])
        return await #expect(throws: CommandFailure.self) { try await flow.token(for: code) }
      }
      return (failure, await sandbox.calls().count)
    }

    #expect(failure?.status == .tryAgainLater)
    #expect(failure?.message.contains("the code was not entered in time") == true)
    // Asked each five seconds of seven minutes, and once for the code.
    #expect(calls == 85)
  }
}

/// Answers by a list.
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

  /// When was asked, in seconds.
  var asked: [Int] { times.times.withLock(\.self) }

  func send(
    _ request: WireRequest,
    timeout: Duration
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
